"""Generated programs as plain data, and their translations.

A program is a list of threads; thread 1 is the first of the list, because main is thread 0. A
thread is a block, a block is a list of operations, an operation is a tuple: an instruction of
ops.def with its arguments, ("LOAD", 0, 2), or one of these, which the translations take apart:

    ("if", r, c, block)          the block if register r equals c
    ("lock", m, block)           the block under that lock. The same with "spintry", and with "rd",
                                 "wr", "sp", which have no m; with r first, and without the block
                                 if it fails: "trylock", "timedlock", "tryrd", "trywr",
                                 "timedrd", "timedwr", "sptry"
    ("wait", r, m, v, how)       lock m; wait until its data is at least v; unlock. how: "while",
                                 "once" (if), "timed" (until the limit ends it), "clean" (while,
                                 with a handler for cancellation)
    ("wake", m, v, how)          lock m; set its data to v; SIGNAL or BROADCAST; unlock
    ("spawn", t, how, r, block)  create thread t; the block; then "join", "tryjoin" or "detach"

main creates every thread that no other one spawns, joins them, those last that others cancel or
send a signal, loads all atomics and prints everything. to_numbers() is read by the interpreter and
by the model, to_c() by a compiler: both come from the same list but not from the same translation.
"""

import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "ops.def")) as _stream:
    OPS = re.findall(r'^OP\((\w+), *"(\w*)"', _stream.read(), re.MULTILINE)
NUMBERS = {name: number for number, (name, _) in enumerate(OPS)}
ARGUMENTS = dict(OPS)
with open(os.path.join(HERE, "limits.h")) as _stream:
    LIMITS = {name: int(value) for name, value in
              re.findall(r"^\t([A-Z]+) = (\d+),", _stream.read(), re.MULTILINE)}

# name: how to lock, how to unlock. Those that may fail have their register first.
LOCKS = {"lock": ("LOCK", "UNLOCK"), "trylock": ("TRYLOCK", "UNLOCK"),
         "timedlock": ("TIMEDLOCK", "UNLOCK"), "spintry": ("SPIN_TRY", "UNLOCK"),
         "rd": ("RDLOCK", "RWUNLOCK"), "tryrd": ("TRYRD", "RWUNLOCK"),
         "timedrd": ("TIMEDRD", "RWUNLOCK"), "wr": ("WRLOCK", "RWUNLOCK"),
         "trywr": ("TRYWR", "RWUNLOCK"), "timedwr": ("TIMEDWR", "RWUNLOCK"),
         "sp": ("SPLOCK", "SPUNLOCK"), "sptry": ("SPTRY", "SPUNLOCK")}
WAITS = {"while": "WAIT", "once": "WAIT", "timed": "TIMEDWAIT", "clean": "WAIT_CLEAN"}


def block_of(op):
    """The block in an operation, or None."""
    return op[-1] if isinstance(op[-1], list) else None


def all_ops(block):
    for op in block:
        yield op
        yield from all_ops(block_of(op) or [])


def may_fail(lock):
    return ARGUMENTS[LOCKS[lock][0]].startswith("r")


def lock_arguments(op):
    """What locking and unlocking are called with."""
    taken = list(op[1:-1])
    return taken, taken[1:] if may_fail(op[0]) else taken


def spawned(program):
    return {op[1] for block in program for op in all_ops(block) if op[0] == "spawn"}


def targets(program):
    """Threads that are cancelled or sent a signal: they must not be joined before that."""
    return {op[1] for block in program for op in all_ops(block)
            if op[0] in ("CANCEL", "KILL", "HIT")}


def names_of(program):
    """The instructions that occur in it."""
    return {name for block in program for name, *_ in flatten(block)}


def main_block(program):
    numbers = range(1, len(program) + 1)
    roots = [t for t in numbers if t not in spawned(program)]
    victims = targets(program)
    joins = [t for t in roots if t not in victims] + [t for t in roots if t in victims]
    return ([("CREATE", t) for t in roots] + [("JOIN", t) for t in joins] +
            [("LOAD", n, n) for n in range(LIMITS["ATOMICS"])])


class Flattener:
    """Turns a block into a list of instructions with jumps."""

    def __init__(self):
        self.code = []

    def add(self, name, *arguments):
        self.code.append((name, *arguments))
        return len(self.code) - 1

    def land(self, jump):
        """The jump that was added at that place leads here."""
        self.code[jump] += (len(self.code),)

    def block(self, block):
        for op in block:
            if op[0] in LOCKS:
                self.locked(op)
            elif op[0] in NUMBERS:
                self.add(*op)
            else:
                getattr(self, "add_" + op[0])(*op[1:])

    def locked(self, op):
        take, give = LOCKS[op[0]]
        taken, given = lock_arguments(op)
        self.add(take, *taken)
        jump = self.add("UNLESS", op[1], 1) if may_fail(op[0]) else None
        self.block(op[-1])
        self.add(give, *given)
        if jump is not None:
            self.land(jump)

    def add_if(self, r, c, block):
        jump = self.add("UNLESS", r, c)
        self.block(block)
        self.land(jump)

    def add_wait(self, r, m, v, how):
        self.add("LOCK", m)
        top = len(self.code)
        ready = self.add("READY", m, v)
        self.add(WAITS[how], *((r, m) if how == "timed" else (m,)))
        over = self.add("UNLESS", r, 0) if how == "timed" else None
        if how != "once":
            self.add("JUMP", top)
        self.land(ready)
        if over is not None:
            self.land(over)
        self.add("UNLOCK", m)

    def add_wake(self, m, v, how):
        self.block([("LOCK", m), ("DATA_SET", m, v), (how, m), ("UNLOCK", m)])

    def add_spawn(self, t, how, r, block):
        self.add("CREATE", t)
        self.block(block)
        if how == "detach":
            self.add("DETACH", t)
            return
        jump = None
        if how == "tryjoin":
            self.add("TRYJOIN", r, t)
            jump = self.add("UNLESS", r, 0)
        self.add("JOIN", t)
        if jump is not None:
            self.land(jump)


def flatten(block):
    flattener = Flattener()
    flattener.block(block)
    flattener.add("END")
    return flattener.code


def to_code(program):
    return [flatten(block) for block in [main_block(program)] + program]


def to_numbers(program):
    """One line for the interpreter and the model."""
    code = to_code(program)
    numbers = [len(code)]
    for instructions in code:
        if len(instructions) > LIMITS["CODE"]:
            raise ValueError("a thread of %d instructions" % len(instructions))
        numbers.append(len(instructions))
        for name, *arguments in instructions:
            numbers += [NUMBERS[name]] + arguments + [0] * (4 - len(arguments))
    return " ".join(map(str, numbers))


class Writer:
    """Writes a program as C, a list of the macros of ops.h."""

    def __init__(self):
        self.lines = []

    def line(self, depth, text):
        self.lines.append("\t" * depth + text)

    def call(self, depth, name, *arguments):
        self.line(depth, "%s(%s);" % (name, ", ".join(map(str, arguments))))

    def block(self, block, depth):
        for op in block:
            if op[0] in LOCKS:
                self.locked(op, depth)
            elif op[0] in NUMBERS:
                self.call(depth, *op)
            else:
                getattr(self, "write_" + op[0])(depth, *op[1:])

    def locked(self, op, depth):
        take, give = LOCKS[op[0]]
        taken, given = lock_arguments(op)
        self.call(depth, take, *taken)
        if may_fail(op[0]):
            self.line(depth, "if (r[%d] == 1) {" % op[1])
        self.block(op[-1], depth + may_fail(op[0]))
        self.call(depth + may_fail(op[0]), give, *given)
        if may_fail(op[0]):
            self.line(depth, "}")

    def write_if(self, depth, r, c, block):
        self.line(depth, "if (r[%d] == %d) {" % (r, c))
        self.block(block, depth + 1)
        self.line(depth, "}")

    def write_wait(self, depth, r, m, v, how):
        self.call(depth, "LOCK", m)
        self.line(depth, "%s (data[%d] < %d) {" % ("if" if how == "once" else "while", m, v))
        self.call(depth + 1, WAITS[how], *((r, m) if how == "timed" else (m,)))
        if how == "timed":
            self.line(depth + 1, "if (r[%d] != 0)" % r)
            self.line(depth + 2, "break;")
        self.line(depth, "}")
        self.call(depth, "UNLOCK", m)

    def write_wake(self, depth, m, v, how):
        self.block([("LOCK", m), ("DATA_SET", m, v), (how, m), ("UNLOCK", m)], depth)

    def write_spawn(self, depth, t, how, r, block):
        self.call(depth, "CREATE", t)
        self.block(block, depth)
        if how == "detach":
            self.call(depth, "DETACH", t)
        elif how == "tryjoin":
            self.call(depth, "TRYJOIN", r, t)
            self.line(depth, "if (r[%d] == 0)" % r)
            self.call(depth + 1, "JOIN", t)
        else:
            self.call(depth, "JOIN", t)

    def thread(self, number, block):
        self.line(0, "\nstatic void *thread%d(void *argument)\n{" % number)
        self.line(1, "int self = %d, r[REGISTERS] = {0};\n" % number)
        self.block(block, 1)
        self.line(1, "keep_result(self, r);\n\treturn argument;\n}")

    def main(self, program):
        self.line(0, "\nint main(void)\n{\n\tint r[REGISTERS] = {0};\n\n\tstart_objects();")
        if names_of(program) & {"FD_OPEN", "FD_CLOSE", "FD_LOOK"}:
            self.line(1, "start_files();")
        if names_of(program) & {"PIPE_PUT", "PIPE_GET"}:
            self.line(1, "start_pipe();")
        if names_of(program) & {"KILL", "HIT", "KILL_ALL", "SIGWAIT", "SIGLOOK"}:
            self.line(1, "start_signals();")
        self.block(main_block(program), 1)
        self.line(1, "print_results(r, %d, %d);\n\treturn 0;\n}" %
                  (len(program) + 1, "DETACH" not in names_of(program)))


def to_c(program):
    writer = Writer()
    writer.line(0, "#define _GNU_SOURCE\n#define START(t) thread##t\n#define ARGUMENT(t) NULL")
    writer.line(0, '#include "ops.h"\n')
    for number in range(1, len(program) + 1):
        writer.line(0, "static void *thread%d(void *argument);" % number)
    for number, block in enumerate(program, 1):
        writer.thread(number, block)
    writer.main(program)
    return "\n".join(writer.lines) + "\n"


def to_text(program):
    """The program as Python writes it, one thread a line; from_text() reads it."""
    return "[%s]\n" % ",\n ".join(repr(block) for block in program)

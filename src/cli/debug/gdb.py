"""Commands of gdb for a program that fermata has stopped: every thread of it can be looked at.

The threads of the program are fibers on one thread of the system, so gdb sees one of them. Each of
the others has left its registers on its own stack (src/runtime/fiber.c); for a look at it they are
put into the real registers, and afterwards the old ones are put back.
"""

import gdb

STATE = "(struct rt *)0x5f0000000000"  # RT in src/runtime/rt.h
# As rt_fiber_swap leaves them, from the stack pointer up: control words, then these.
SAVED = ("r15", "r14", "r13", "r12", "rbx", "rbp", "rip")
FREE, FINISHED = "RT_FREE", "RT_FINISHED"


class Fiber:
    def __init__(self, index, actor):
        self.index = index
        self.actor = actor

    @property
    def state(self):
        return str(self.actor["state"].cast(gdb.lookup_type("enum rt_actor_state")))

    @property
    def is_thread(self):
        return not int(self.actor["act"]) and self.state != FREE

    @property
    def is_current(self):
        pointer = int(gdb.parse_and_eval("(unsigned long)$rsp"))
        return int(self.actor["stack_low"]) <= pointer < int(self.actor["stack_high"])

    @property
    def name(self):
        given = self.actor["name"].string()
        if given:
            return given
        if self.index == 0:
            return "main"
        start = int(self.actor["start"]) or int(self.actor["start_c11"])
        symbol = gdb.execute("info symbol 0x%x" % start, to_string=True)
        return symbol.split(" in section")[0].strip()

    def waiting(self):
        """What the fiber is about to do, or waits for."""
        if self.state == FINISHED:
            return "has ended"
        kind = int(self.actor["announced"]["kind"])
        names = {field.enumval: field.name for field in gdb.lookup_type("enum event_kind").fields()}
        text = names.get(kind, "?").replace("EVENT_", "").lower().replace("_", "-")
        if not int(self.actor["announced"]["access_len"]):
            return text
        address = int(self.actor["announced"]["accesses"][0]["object"]) & 0xffffffffffffff
        symbol = gdb.execute("info symbol 0x%x" % address, to_string=True)
        found = symbol.split(" in section")[0].strip()
        return text + " " + ("0x%x" % address if symbol.startswith("No symbol") else found)


def fibers():
    state = gdb.parse_and_eval(STATE).dereference()
    every = (Fiber(i, state["actors"][i]) for i in range(int(state["actors_high"])))
    return [fiber for fiber in every if fiber.is_thread]


class Registers:
    """Puts the registers of a fiber in place, for the body of a with statement."""

    def __init__(self, fiber):
        self.fiber = fiber
        self.old = {}

    def __enter__(self):
        if self.fiber.is_current:
            return
        for name in SAVED + ("rsp",):
            self.old[name] = int(gdb.parse_and_eval("(unsigned long)$" + name))
        stack = int(self.fiber.actor["sp"])
        words = gdb.parse_and_eval("(unsigned long *)0x%x" % stack)
        new = {name: int(words[i + 1]) for i, name in enumerate(SAVED)}
        new["rsp"] = stack + 8 * (len(SAVED) + 1)
        put(new)

    def __exit__(self, *unused):
        if self.old:
            put(self.old)


def put(registers):
    gdb.execute("frame 0", to_string=True)
    for name, value in registers.items():
        gdb.execute("set $%s = 0x%x" % (name, value), to_string=True)


def place(fiber):
    """The innermost frame of the program's own code: "take (bank.c:9)"."""
    with Registers(fiber):
        frame = gdb.newest_frame()
        while frame:
            where = frame.find_sal()
            file = where.symtab.filename if where.symtab else ""
            if file and "/fermata-runtime/" not in file and not file.startswith("/usr/include/"):
                return "%s (%s:%d)" % (frame.name(), file.rsplit("/", 1)[-1], where.line)
            frame = frame.older()
    return "?"


def find(text):
    for fiber in fibers():
        if text in (str(fiber.index), fiber.name):
            return fiber
    raise gdb.GdbError("there is no thread '%s' (fermata threads)" % text)


class Prefix(gdb.Command):
    """Threads of a program that fermata has stopped."""

    def __init__(self):
        super().__init__("fermata", gdb.COMMAND_STACK, prefix=True)


class Threads(gdb.Command):
    """fermata threads: every thread, where it is and what it is about to do."""

    def __init__(self):
        super().__init__("fermata threads", gdb.COMMAND_STACK)

    def invoke(self, words, from_tty):
        for fiber in fibers():
            at = "" if fiber.state == FINISHED else place(fiber)
            print("%s %-3d %-20s %-28s %s" % ("*" if fiber.is_current else " ", fiber.index,
                                              fiber.name, fiber.waiting(), at))


class Backtrace(gdb.Command):
    """fermata bt [THREAD]: the call stack of a thread, or of all."""

    def __init__(self):
        super().__init__("fermata bt", gdb.COMMAND_STACK)

    def invoke(self, words, from_tty):
        for fiber in [find(words)] if words else fibers():
            if fiber.state == FINISHED:
                continue
            print("%s (thread %d): %s" % (fiber.name, fiber.index, fiber.waiting()))
            with Registers(fiber):
                gdb.execute("backtrace")


class Why(gdb.Command):
    """fermata why THREAD: which thread holds the lock that it waits for."""

    def __init__(self):
        super().__init__("fermata why", gdb.COMMAND_STACK)

    def invoke(self, words, from_tty):
        fiber = find(words)
        print("%s: %s" % (fiber.name, fiber.waiting()))
        if not int(fiber.actor["announced"]["access_len"]):
            return
        wanted = int(fiber.actor["announced"]["accesses"][0]["object"])
        for other in fibers():
            for i in range(int(other.actor["held_len"])):
                if int(other.actor["held"][i]["object"]) == wanted:
                    print("held by %s" % other.name)


class Thread(gdb.Command):
    """fermata thread [THREAD]: look at a thread (frame, print, info locals); without a name, go back.

    Go back before the program is continued."""

    def __init__(self):
        super().__init__("fermata thread", gdb.COMMAND_STACK)
        self.chosen = None

    def invoke(self, words, from_tty):
        if self.chosen:
            self.chosen.__exit__()
        self.chosen = Registers(find(words)) if words else None
        if self.chosen:
            self.chosen.__enter__()
        gdb.execute("frame")


Prefix()
Thread()
Threads()
Backtrace()
Why()

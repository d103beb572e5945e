"""Commands of gdb for a program that fermata has stopped: every thread of it can be looked at.

The threads of the program are fibers on one thread of the system, so gdb sees one of them. Each of
the others has left its registers on its own stack (src/runtime/fiber.c); for a look at it they are
put into the real registers, and afterwards the old ones are put back. threads.py makes gdb's own
commands for threads out of this.
"""

import os
import subprocess

import gdb

STATE = "(struct rt *)0x5f0000000000"  # RT in src/runtime/rt.h
# As rt_fiber_swap leaves them, from the stack pointer up: control words, then these.
SAVED = ("r15", "r14", "r13", "r12", "rbx", "rbp", "rip")
FREE, FINISHED = "RT_FREE", "RT_FINISHED"
# What the tool knows of the finding (debugger.h): the names of threads by their index, and of locks and
# variables by their address, as reports have them; the sentence; the key of the access, or the number of the step, at which the bug shows, if that
# is not the end of the run.
NAMES, OBJECTS = ({int(line.split(" ", 1)[0]): line.split(" ", 1)[1]
                   for line in os.environ.get("FERMATA_GDB_" + what, "").splitlines()}
                  for what in ("NAMES", "OBJECTS"))
BUG = os.environ.get("FERMATA_GDB_BUG", "")
BUG_KEY, BUG_STEP = (int(os.environ.get("FERMATA_GDB_" + name, "0")) for name in ("KEY", "STEP"))


class Fiber:
    def __init__(self, index, actor):
        self.index = index
        self.actor = actor

    @property
    def id(self):
        """As gdb counts threads: the first one is 1."""
        return self.index + 1

    @property
    def state(self):
        return str(self.actor["state"].cast(gdb.lookup_type("enum rt_actor_state")))

    @property
    def is_thread(self):
        return not int(self.actor["act"]) and self.state != FREE

    @property
    def is_current(self):
        return self.has(int(gdb.newest_frame().read_register("rsp")))

    def has(self, pointer):
        """Whether a stack pointer is the fiber's."""
        return int(self.actor["stack_low"]) <= pointer < int(self.actor["stack_high"])

    @property
    def name(self):
        if self.index in NAMES:
            return NAMES[self.index]
        given = self.actor["name"].string()
        if given:
            return given
        if self.index == 0:
            return "main"
        start = int(self.actor["start"]) or int(self.actor["start_c11"])
        symbol = gdb.execute("info symbol 0x%x" % start, to_string=True)
        return symbol.split(" in section")[0].strip()

    def can_go(self):
        """Whether it could have taken its step when the program decided last."""
        words = gdb.parse_and_eval(STATE).dereference()["enabled"]
        return bool(int(words[self.index // 64]) >> self.index % 64 & 1)

    def is_between_steps(self):
        """Whether the fiber runs, and has not come to its next step."""
        return (Registers.real is None and self.is_current
                and not SCHEDULE.is_in("rt_step", "rt_end_now", "rt_thread_finish"))

    def waiting(self):
        """What the fiber is about to do, or waits for."""
        if self.state == FINISHED:
            return "has ended"
        if self.is_between_steps():
            return "runs"
        kind = int(self.actor["announced"]["kind"])
        names = {field.enumval: field.name for field in gdb.lookup_type("enum event_kind").fields()}
        text = names.get(kind, "?").replace("EVENT_", "").lower().replace("_", "-")
        if not int(self.actor["announced"]["access_len"]):
            return text
        address = int(self.actor["announced"]["accesses"][0]["object"]) & 0xffffffffffffff
        if text in ("join", "to-cancel", "to-signal"):  # the object is the other thread
            return text + " " + next((one.name for one in fibers() if one.index == address), "a thread")
        if not address:
            return text
        if address in OBJECTS:
            return text + " " + OBJECTS[address]
        symbol = gdb.execute("info symbol 0x%x" % address, to_string=True)
        found = symbol.split(" in section")[0].strip()
        return text + " " + ("0x%x" % address if symbol.startswith("No symbol") else found)


def fibers():
    state = gdb.parse_and_eval(STATE).dereference()
    every = (Fiber(i, state["actors"][i]) for i in range(int(state["actors_high"])))
    return [fiber for fiber in every if fiber.is_thread]


class Registers:
    """Puts the registers of a fiber in place, for the body of a with statement.

    fs_base is one of them, so that variables of the thread (__thread) are the ones of the fiber."""

    depth = 0    # how many with statements are being run
    real = None  # those of the running fiber, while others are in place

    def __init__(self, fiber):
        self.fiber = fiber
        self.old = {}

    def __enter__(self):
        Registers.depth += 1
        self.put_in_place()

    def __exit__(self, *unused):
        Registers.depth -= 1
        self.put_back()

    def put_in_place(self):
        if self.fiber.is_current:
            return
        gdb.newest_frame().select()
        for name in SAVED + ("rsp", "fs_base"):
            self.old[name] = int(gdb.parse_and_eval("(unsigned long)$" + name))
        if Registers.real is None:
            Registers.real = self.old
        put(self.wanted())

    def wanted(self):
        if self.fiber.has(Registers.real["rsp"]):
            return Registers.real
        stack = int(self.fiber.actor["sp"])
        words = gdb.parse_and_eval("(unsigned long *)0x%x" % stack)
        new = {name: int(words[i + 1]) for i, name in enumerate(SAVED)}
        new["rsp"] = stack + 8 * (len(SAVED) + 1)
        new["fs_base"] = int(self.fiber.actor["fs_base"])
        return new

    def put_back(self):
        if self.old:
            put(self.old)
        if Registers.real is self.old:
            Registers.real = None


def put(registers):
    gdb.newest_frame().select()  # in another frame `set $rip` writes to the stack
    for name, value in registers.items():
        gdb.execute("set $%s = 0x%x" % (name, value), to_string=True)


def is_runtime(frame):
    """Whether the frame is one of the runtime, or the end of a stack."""
    where = frame.find_sal()
    if where.symtab:
        return "/fermata-runtime/" in where.symtab.filename
    return not frame.pc() or (frame.name() or "").startswith("rt_")


def own_frame():
    """The innermost frame of the program's own code."""
    frame = gdb.newest_frame()
    while frame:
        where = frame.find_sal()
        # Of the C library there may be line numbers, but no sources.
        if (where.symtab and not is_runtime(frame) and os.path.exists(where.symtab.fullname())
                and not where.symtab.filename.startswith("/usr/include/")):
            return frame
        frame = frame.older()
    return None


def place(fiber):
    """Where the fiber is in the program's own code: "take (bank.c:9)"."""
    with Registers(fiber):
        frame = own_frame()
        if not frame:
            return "?"
        where = frame.find_sal()
        return "%s (%s:%d)" % (frame.name(), where.symtab.filename.rsplit("/", 1)[-1], where.line)


def find(text):
    for fiber in fibers():
        if text in (str(fiber.id), fiber.name):
            return fiber
    raise gdb.GdbError("there is no thread '%s' (info threads)" % text)


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
            print("%s %-3d %-20s %-28s %s" % ("*" if fiber.is_current else " ", fiber.id,
                                              fiber.name, fiber.waiting(), at))


class Backtrace(gdb.Command):
    """fermata bt [THREAD]: the call stack of a thread, or of all."""

    def __init__(self):
        super().__init__("fermata bt", gdb.COMMAND_STACK)

    def invoke(self, words, from_tty):
        for fiber in [find(words)] if words else fibers():
            if fiber.state == FINISHED:
                continue
            print("%s (thread %d): %s" % (fiber.name, fiber.id, fiber.waiting()))
            with Registers(fiber):
                gdb.execute("backtrace")


class Why(gdb.Command):
    """fermata why THREAD: whether it can take its next step; if not, which thread holds the lock."""

    def __init__(self):
        super().__init__("fermata why", gdb.COMMAND_STACK)

    def invoke(self, words, from_tty):
        fiber = find(words)
        print("%s: %s" % (fiber.name, fiber.waiting()))
        if fiber.state == FINISHED or fiber.is_between_steps():
            return
        holders = self.holders(fiber)
        for holder in holders:
            print("held by %s" % holder.name)
        # While the program runs on, the last decision says nothing about the others.
        if holders or Registers.real is not None or not SCHEDULE.is_in("rt_step", "rt_end_now", "rt_thread_finish"):
            return
        if SCHEDULE.is_over():
            print("the run is over; it could go on" if fiber.can_go() else "it cannot go on: what it waits for has not happened")
        elif not fiber.can_go():
            print("it cannot go on yet: what it waits for has not happened")
        elif SCHEDULE.actor(SCHEDULE.step) == fiber.index:
            print("it can go on, and its step is next (step %d)" % SCHEDULE.step)
        else:
            print("it can go on, but another thread is next (fermata who)")

    @staticmethod
    def holders(fiber):
        if not int(fiber.actor["announced"]["access_len"]):
            return []
        wanted = int(fiber.actor["announced"]["accesses"][0]["object"])
        return [other for other in fibers() for i in range(int(other.actor["held_len"]))
                if int(other.actor["held"][i]["object"]) == wanted and not fiber.can_go()]


class Thread(gdb.Command):
    """fermata thread [THREAD]: look at a thread (frame, print, info locals); without a name, go back."""

    def __init__(self):
        super().__init__("fermata thread", gdb.COMMAND_STACK)
        self.chosen = None

    def invoke(self, words, from_tty):
        if words:
            self.choose(find(words))
        else:
            self.leave()
            gdb.execute("frame")

    @property
    def fiber(self):
        return self.chosen.fiber if self.chosen else None

    def is_elsewhere(self):
        """Whether the registers are not those of the running fiber."""
        return bool(self.chosen and self.chosen.old)

    def choose(self, fiber):
        if fiber.state == FINISHED:
            raise gdb.GdbError("%s has ended" % fiber.name)
        self.leave()
        self.chosen = Registers(fiber)
        self.chosen.put_in_place()
        print("[Switching to thread %s]" % heading(fiber))
        select_own_frame()

    def leave(self):
        if self.chosen:
            self.chosen.put_back()
        self.chosen = None

    def forget(self):
        """The process is gone, and its registers with it."""
        self.chosen = Registers.real = None


# ---- moving in the schedule ----

class Silence:
    """gdb says "Program received signal SIGSTOP" past to_string and past its log: its output goes nowhere."""

    def __enter__(self):
        gdb.flush()
        self.output, nowhere = os.dup(1), os.open("/dev/null", os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)

    def __exit__(self, *unused):
        gdb.flush()
        os.dup2(self.output, 1)
        os.close(self.output)


class Schedule:
    """The decisions that the program follows, and the step before which it is stopped."""

    def __init__(self):
        self.keeper = None    # the tool that holds the process, once it was started again
        self.is_fresh = True  # the program has not run since gdb attached
        self.is_quiet = False

    @property
    def channel(self):
        return gdb.parse_and_eval(STATE)["channel"]

    @property
    def step(self):
        return int(self.channel["events_len"]) + 1

    @property
    def len(self):
        return int(self.channel["schedule"]["decisions_len"])

    def actor(self, step):
        """The actor of a step, from 1; None behind the last decision."""
        if step > self.len:
            return None
        offset = int(self.channel["decisions"])
        decisions = gdb.parse_and_eval("(struct decision *)0x%x" % (int(self.channel) + offset))
        return int(decisions[step - 1]["actor"])

    @staticmethod
    def is_in(*functions):
        """Whether the running fiber is in one of these functions of the runtime."""
        frame = gdb.newest_frame()
        while frame:
            if frame.name() in functions:
                return True
            frame = frame.older()
        return False

    def is_over(self):
        return self.is_in("rt_end_now")

    def is_at_bug(self):
        """Whether the program stands where the bug shows, which need not be the end of the run."""
        return self.is_in("rt_stop_at_bug") or bool(BUG_STEP and self.step == BUG_STEP)

    def go(self, step):
        """To before a step; 0: to the bug."""
        if not step and BUG_STEP and self.step <= BUG_STEP:
            step = BUG_STEP
        if step and step < self.step:
            self.start_again(step)
        elif step != self.step and not self.is_over() and (step or not self.is_at_bug()):
            gdb.execute("set variable (%s)->channel->stop_step = %d" % (STATE, step))
            self.resume()
        show_turn()

    def resume(self):
        """Continues, without gdb's messages. A breakpoint on the way is reported."""
        self.absorb()
        stop = self.continue_quietly()
        numbers = [one.number for one in getattr(stop, "breakpoints", []) if one.number > 0]
        if numbers:
            text = gdb.execute("frame", to_string=True)
            print("\nBreakpoint %d, %s" % (numbers[0], text.split(None, 1)[1]), end="")

    def absorb(self):
        """The stop before gdb attached may be reported once more: that is not a new one."""
        if not self.is_fresh:
            return
        self.is_fresh = False
        gdb.execute("set variable (%s)->channel->stop_key = %d" % (STATE, BUG_KEY))
        before = self.step
        stop = self.continue_quietly()
        if not isinstance(stop, gdb.SignalEvent) or self.step != before:
            gdb.execute("frame")
            raise gdb.GdbError("the program stopped on the way")

    def continue_quietly(self):
        """Continues until the program stops, and returns gdb's event of that."""
        stops = []
        gdb.events.stop.connect(stops.append)
        self.is_quiet = True
        try:
            gdb.execute("set suppress-cli-notifications on")
            with Silence():
                gdb.execute("continue", to_string=True)
        finally:
            gdb.execute("set suppress-cli-notifications off")
            self.is_quiet = False
            gdb.events.stop.disconnect(stops.append)
        return stops[-1] if stops else None

    def start_again(self, step):
        tool, finding = os.environ["FERMATA_GDB_TOOL"], os.environ["FERMATA_GDB_FINDING"]
        # The program may look at its environment.
        own = {name: value for name, value in os.environ.items() if not name.startswith("FERMATA_GDB_")}
        keeper = subprocess.Popen([tool, "replay", "--trust", "--stop-at", str(step), finding], env=own,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        number = keeper.stdout.readline().strip()
        if not number.isdigit():
            raise gdb.GdbError("the program could not be started again: " + number)
        gdb.execute("kill", to_string=True)
        CHOSEN.forget()
        if self.keeper:
            self.keeper.stdin.close()
        self.keeper = keeper
        with Silence():
            gdb.execute("attach " + number, to_string=True)
        self.is_fresh = True


SCHEDULE = Schedule()


def show_bug():
    """The sentence of the report, and the line of the running thread."""
    if BUG:
        print(BUG)
    if SCHEDULE.is_in("rt_stop_at_bug") or SCHEDULE.is_over():
        frame = own_frame()
        if frame:
            frame.select()
            print(gdb.execute("frame", to_string=True).rstrip())


def show_turn():
    if SCHEDULE.is_over():
        is_here = not BUG_KEY and not BUG_STEP
        print("the run is over after %d steps%s" % (SCHEDULE.step - 1, ": here is the bug" if is_here else ""))
        if is_here:
            show_bug()
        return
    if SCHEDULE.is_at_bug():
        print("here is the bug, before step %d of %d" % (SCHEDULE.step, SCHEDULE.len))
        show_bug()
        if not BUG_STEP:
            return
    actor = SCHEDULE.actor(SCHEDULE.step)
    for fiber in fibers():
        if fiber.index == actor:
            print("step %d of %d: %s: %s, at %s" % (SCHEDULE.step, SCHEDULE.len, fiber.name,
                                                    fiber.waiting(), place(fiber)))
            return
    print("step %d of %d" % (SCHEDULE.step, SCHEDULE.len))


class Move(gdb.Command):
    """fermata next | back: one step forward or back.
fermata goto N: to before step N. fermata end: to the bug.
fermata until THREAD: to the next step of a thread. fermata who: whose step is next."""

    def __init__(self, name):
        super().__init__("fermata " + name, gdb.COMMAND_RUNNING)
        self.name = name

    def invoke(self, words, from_tty):
        CHOSEN.leave()
        if self.name == "who":
            show_turn()
        elif self.name == "end":
            SCHEDULE.go(0)
        else:
            SCHEDULE.go(max(1, self.wanted(words)))

    def wanted(self, words):
        if self.name == "goto":
            return int(words)
        if self.name == "back":
            return SCHEDULE.step - 1
        step = SCHEDULE.step + 1
        if self.name == "until":
            index = find(words).index
            while step <= SCHEDULE.len and SCHEDULE.actor(step) != index:
                step += 1
        return step


gdb.execute("handle SIGSTOP nopass stop print", to_string=True)
gdb.execute("handle SIGSYS pass nostop noprint", to_string=True)  # system calls that the runtime takes over
gdb.execute("set confirm off")
Prefix()
CHOSEN = Thread()
for name in ("next", "back", "goto", "until", "end", "who"):
    Move(name)
Threads()
Backtrace()
Why()

"""gdb's own commands for threads, for fibers; gdb reads this file behind gdb.py, as one script.

gdb asks the system for threads, and the system has one. So `info threads`, `thread` and `thread apply`
are commands of ours, with the words and the output of gdb's. A look at a fiber puts its registers in
place (class Registers). They must not be there when the program goes on: hooks of the commands that
resume the program put the old ones back.
"""

import re
import struct

STARTS = ("continue", "signal")
ENDS = ("kill", "run", "start", "attach")
STEPS = ("step", "next", "stepi", "nexti", "finish", "until", "advance")
CHANGES = ("jump", "return")


class Kept:
    """The selected frame is the same after the body of a with statement."""

    def __enter__(self):
        self.level = gdb.selected_frame().level()

    def __exit__(self, *unused):
        frame = gdb.newest_frame()
        for _ in range(self.level):
            frame = frame.older()
        frame.select()


def select_own_frame():
    """Selects the innermost frame of the program's own code, and prints it as gdb does."""
    frame = own_frame()
    if frame:
        frame.select()
    gdb.execute("frame")


def heading(fiber):
    return '%d (Fiber "%s": %s)' % (fiber.id, fiber.name, fiber.waiting())


def alive():
    return [fiber for fiber in fibers() if fiber.state != FINISHED]


def is_list(word):
    """Whether the word says which threads: `2`, `1-3`, `1.2`, `1.*`, `*`."""
    return re.fullmatch(r"(1\.)?(\d+(-\d+)?|\*)", word) is not None


def listed(word):
    """The fibers that a word of such a list stands for."""
    word = word[2:] if word.startswith("1.") else word
    if word == "*":
        return alive()
    first, _, last = word.partition("-")
    return [one for one in alive() if int(first) <= one.id <= int(last or first)]


class InfoThreads(gdb.Command):
    """info threads [ID]...: every thread of the program, the step that it is about to take, and where."""

    def __init__(self):
        super().__init__("info threads", gdb.COMMAND_STATUS)

    def invoke(self, words, from_tty):
        wanted = None
        if words:
            wanted = {one.id for word in words.split() if is_list(word) for one in listed(word)}
        rows = [(one, '"%s": %s' % (one.name, one.waiting())) for one in alive()
                if wanted is None or one.id in wanted]
        width = max([len(text) for _, text in rows] + [9])
        print("  %-4s %-*s %s" % ("Id", width + 6, "Target Id", "Frame"))
        with Kept():
            for fiber, text in rows:
                print("%s %-4d Fiber %-*s %s" % ("*" if fiber.is_current else " ", fiber.id, width,
                                                 text, self.frame(fiber)))

    @staticmethod
    def frame(fiber):
        """As gdb prints it: "take (first=0x5555 <a>, second=0x5555 <b>) at bank.c:10"."""
        with Registers(fiber):
            frame = own_frame()
            if not frame:
                return "?"
            frame.select()
            text = gdb.execute("frame", to_string=True)
            source = "\n%d\t" % frame.find_sal().line  # the line of the source, printed below it
        text = " ".join(text.split(source)[0].split())
        return re.sub(r"^#\d+ (0x[0-9a-f]+ in )?", "", text)


class ThreadCommand(gdb.Command):
    """thread [ID | NAME]: look at a thread (bt, frame, up, print, info locals).
thread apply ID... | all COMMAND: run a command of gdb for some threads, or for all.
thread find REGEXP: the threads whose name matches."""

    FLAGS = ("-q", "-c", "-s", "-ascending")

    def __init__(self):
        super().__init__("thread", gdb.COMMAND_RUNNING)

    def invoke(self, words, from_tty):
        first, _, rest = words.strip().partition(" ")
        if first == "apply":
            self.apply(rest.strip())
        elif first == "find":
            self.find(rest.strip())
        elif first == "name":
            raise gdb.GdbError("the program names its threads: pthread_setname_np")
        elif not first:
            for fiber in fibers():
                if fiber.is_current:
                    print("[Current thread is %s]" % heading(fiber))
        else:
            CHOSEN.choose(find(first[2:] if first.startswith("1.") else first))

    @staticmethod
    def find(pattern):
        found = [one for one in fibers() if re.search(pattern, one.name)]
        for fiber in found:
            print("Thread %d has name '%s'" % (fiber.id, fiber.name))
        if not found:
            print("No threads match '%s'" % pattern)

    def apply(self, words):
        """Highest number first for `all`, as gdb does, and in the order of the list otherwise."""
        chosen, rest = [], words
        flags = set()
        while rest:
            word, _, others = rest.partition(" ")
            if word == "all" and not chosen:
                chosen = alive()[::-1]
            elif word in self.FLAGS:
                flags.add(word)
            elif is_list(word):
                chosen += listed(word)
            else:
                break
            rest = others.strip()
        if not rest:
            raise gdb.GdbError("Please specify a command to apply on the selected threads")
        if "-ascending" in flags:
            chosen.sort(key=lambda one: one.id)
        with Kept():
            for fiber in chosen:
                self.apply_to(fiber, rest, flags)

    @staticmethod
    def apply_to(fiber, command, flags):
        before = "" if "-q" in flags else "\nThread %s:\n" % heading(fiber)
        try:
            with Registers(fiber):
                frame = own_frame()
                if frame:
                    frame.select()
                text = gdb.execute(command, to_string=True)
        except gdb.error as wrong:
            if "-s" in flags:
                return
            if "-c" not in flags:
                raise gdb.GdbError(str(wrong))
            text = "%s\n" % wrong
        if text or "-s" not in flags:
            print(before + text, end="")


# ---- the program goes on ----

class BeforeResuming(gdb.Command):
    """Called by the hooks of commands that let the program go on."""

    def __init__(self):
        super().__init__("fermata before-resuming", gdb.COMMAND_OBSCURE)

    def invoke(self, command, from_tty):
        if SCHEDULE.is_quiet:
            return
        if Registers.depth:
            raise gdb.GdbError("thread apply cannot let the program go on")
        if command in ENDS:
            CHOSEN.forget()
            return
        before_resuming(command)
        SCHEDULE.absorb()


def before_resuming(command):
    """Puts the registers of the running fiber back, and goes to the turn of another one."""
    fiber, elsewhere = CHOSEN.fiber, CHOSEN.is_elsewhere()
    if command in CHANGES and elsewhere:
        raise gdb.GdbError("%s works in the thread that runs: go there with fermata thread" % command)
    CHOSEN.leave()
    if command in STEPS and elsewhere:
        bring(fiber)
        frame = gdb.newest_frame()
        if command in ("step", "next") and frame.find_sal().pc == frame.pc():
            # The next line has been reached: the step of gdb would leave it out. Only an error keeps
            # gdb from it.
            gdb.execute("frame")
            raise gdb.GdbError("[thread %d has come back from its call]" % fiber.id)


def bring(fiber):
    """Lets the program go on until the fiber runs again, because gdb can step only that one."""
    if SCHEDULE.is_over():
        raise gdb.GdbError("the run is over: %s does not go on (%s)" % (fiber.name, fiber.waiting()))
    with Registers(fiber):
        frame = own_frame()
        place = frame.pc() if frame else None
    if place is None:
        raise gdb.GdbError("%s is not in the code of the program" % fiber.name)
    low, high = int(fiber.actor["stack_low"]), int(fiber.actor["stack_high"])
    stop = gdb.Breakpoint("*0x%x" % place, internal=True)
    stop.silent = True
    stop.condition = "$rsp >= 0x%x && $rsp < 0x%x" % (low, high)
    try:
        SCHEDULE.resume()
        arrived = stop.hit_count > 0
    finally:
        stop.delete()
    if not arrived:
        raise gdb.GdbError("stopped before %s went on" % fiber.name)


def note_end(event):
    """Behind gdb's own words about the signal with which the runtime stops the program."""
    if isinstance(event, gdb.SignalEvent) and not SCHEDULE.is_quiet and (
            SCHEDULE.is_over() or SCHEDULE.is_at_bug()):
        show_turn()


class RunningThread(gdb.Function):
    """$_fermata_thread(): the number of the thread that runs, for the condition of a breakpoint."""

    def __init__(self):
        super().__init__("_fermata_thread")

    def invoke(self):
        return next((one.id for one in fibers() if one.is_current), 0)


# ---- variables of a thread ----

def tls_of_program():
    """Where the thread-local variables of the program begin: so many bytes below fs_base."""
    with open("/proc/%d/exe" % gdb.selected_inferior().pid, "rb") as file:
        head = file.read(64)
        table, size, count = struct.unpack_from("<Q", head, 32)[0], *struct.unpack_from("<HH", head, 54)
        file.seek(table)
        for i in range(count):
            kind, _, _, _, _, _, memory, align = struct.unpack("<IIQQQQQQ", file.read(size)[:56])
            if kind == 7:  # PT_TLS
                return -(-memory // max(align, 1)) * align
    raise gdb.GdbError("the program has no thread-local variables")


class OwnVariable(gdb.Function):
    """$_fermata_own("NAME"): a thread-local variable of the program, of the thread that is looked at.

    gdb itself asks libthread_db, which knows one thread: it would print the value of that one for every
    thread. So libthread_db is turned off, and `print NAME` is an error."""

    def __init__(self):
        super().__init__("_fermata_own")

    def invoke(self, name):
        name = name.string()
        symbol = gdb.lookup_symbol(name)[0] or gdb.lookup_static_symbol(name)
        text = gdb.execute("info address " + name, to_string=True)
        offset = re.search(r"thread-local variable at offset (0x[0-9a-f]+) in .*for `(.*)'", text)
        if not symbol or not offset:
            raise gdb.GdbError("%s is not a thread-local variable" % name)
        if not os.path.samefile(offset[2], "/proc/%d/exe" % gdb.selected_inferior().pid):
            raise gdb.GdbError("%s is a thread-local variable of a library" % name)
        base = int(gdb.newest_frame().read_register("fs_base"))
        address = base - tls_of_program() + int(offset[1], 16)
        return gdb.Value(address).cast(symbol.type.pointer()).dereference()


# ---- stacks without the runtime ----

class OwnFrames:
    """Leaves the frames of the runtime out of backtraces; `bt -no-filters` shows them."""

    def __init__(self):
        self.name = "fermata"
        self.priority = 100
        self.enabled = True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        every = list(frames)
        own = [one for one in every if not is_runtime(one.inferior_frame())]
        return iter(own or every)


InfoThreads()
ThreadCommand()
RunningThread()
OwnVariable()
OwnFrames()
BeforeResuming()
gdb.events.stop.connect(note_end)
for name in STARTS + ENDS + STEPS + CHANGES + ("detach",):
    gdb.execute("define hook-%s\nfermata before-resuming %s\nend" % (name, name), to_string=True)

"""Generate small random threaded programs (program.py) from a seed.

Each program has a few *families* of operations, so that those of one family meet often enough, and
a *shape*, which says which atomics a thread reads and writes: a ring, a chain or a diamond makes
outcomes possible that only few orders show. Deadlocks, lost wake-ups and endless spinning are
allowed to happen; misuse of the calls is not.
"""

import random

import program as programs

FAMILIES = {"mutex": 6, "rw": 2, "spinlock": 1, "cond": 4, "sem": 3, "barrier": 1, "once": 1,
            "futex": 2, "pipe": 2, "fd": 1, "sleep": 2, "spin": 4, "spawn": 2, "cancel": 2,
            "key": 1, "signal": 1, "exit": 1, "pointer": 1, "branch": 6, "more": 4}
SHAPES = ("free", "free", "ring", "chain", "diamond")
X = programs.LIMITS["ATOMICS"] - 1  # the last one is for SPIN_BEAT


class Generator:
    """`plain` adds variables without a guard, so data races; every program has the families
    `always`."""

    def __init__(self, seed, plain=False, always=()):
        self.rng = random.Random(seed)
        self.plain = plain
        self.always = set(always)
        self.families = set()
        self.shape = "free"
        self.thread = 0
        self.victim = 0
        self.child = 0
        self.has_spawned = False
        self.opened = 0
        self.sent = []

    def program(self, large=False):
        rng = self.rng
        names = sorted(FAMILIES)
        self.families = set(rng.choices(names, [FAMILIES[n] for n in names],
                                        k=rng.choice((1, 2, 2, 3, 3, 4)))) | self.always
        self.shape = rng.choice(SHAPES)
        threads = rng.choice((2, 2, 3, 3, 3, 4))
        self.victim = 1 if "cancel" in self.families else 0
        self.child = threads if "spawn" in self.families else 0
        self.has_spawned = False
        self.opened = 0
        self.sent = []
        budget = {2: 6, 3: 4, 4: 3}[threads] + (rng.choice((2, 4, 6)) if large else 0)
        program = []
        for self.thread in range(1, threads + 1):
            program.append(self.block(rng.randint(1, budget), ()))
        return program

    def block(self, size, held):
        ops = []
        while len(ops) < size:
            ops += self.operations(held)
        return ops

    def operations(self, held):
        """One operation, or some that belong together."""
        rng = self.rng
        choices = [(self.memory, 8)]
        if held and rng.random() < 0.4:
            return [self.guarded(held[-1])]
        if self.plain:
            choices.append((self.unguarded, 4))
        for name in sorted(self.families):
            choices.append((getattr(self, "family_" + name), 3))
        make = rng.choices([c for c, _ in choices], [w for _, w in choices])[0]
        ops = make(held)
        return ops if ops else self.memory(held)

    # ---- arguments ----

    def register(self):
        return self.rng.randrange(3)

    def constant(self):
        return self.rng.randint(0, 2)

    def to_read(self):
        t, rng = self.thread, self.rng
        near = {"ring": [t + 1], "chain": [t - 1], "diamond": [0, 1] if t == 4 else [t]}
        if self.shape == "free" or rng.random() < 0.2:
            return rng.randrange(X)
        return rng.choice(near[self.shape]) % X

    def to_write(self):
        t, rng = self.thread, self.rng
        near = {"ring": [t], "chain": [t], "diamond": [0, 1] if t == 1 else [t, t + 1]}
        if self.shape == "free" or rng.random() < 0.2:
            return rng.randrange(X)
        return rng.choice(near[self.shape]) % X

    def inner(self, held):
        return self.block(self.rng.randint(0, 2), held) if len(held) < 3 else []

    # ---- atomics and plain data ----

    def memory(self, held):
        r, c = self.register(), self.constant()
        x = self.to_write()
        store, load = ("STORE", x, c + 1), ("LOAD", r, self.to_read())
        return [self.rng.choice((store, store, ("STORE", x, c), load, load, load,
                                 ("UPDATE", r, x, 0, 1), ("XCHG", r, x, c),
                                 ("CAS", r, x, c, c + 1)))]

    def family_more(self, held):
        """Rarer accesses, and reads that come twice."""
        r, c, x = self.register(), self.constant(), self.to_write()
        choice = self.rng.randrange(8)
        if choice == 0:
            read = self.to_read()
            return [("LOAD", 0, read), ("LOAD", 1, read)]
        if choice == 1:
            return [("LOAD", r, self.to_read()), ("STORE_REG", x, r, self.rng.randint(0, 1))]
        if choice == 2:
            return [("LOAD", r, x), ("CAS_REG", self.register(), x, r, c)]
        return [self.rng.choice((("UPDATE", r, x, self.rng.randrange(5), self.rng.randint(1, 3)),
                                 ("CAS_WEAK", r, x, c, c + 1), ("CAS_OLD", r, x, c, c + 1),
                                 ("LOAD", r, X), ("FENCE",), ("YIELD",)))]

    def family_branch(self, held):
        """A load in a condition; sometimes an assertion."""
        r, c = self.register(), self.constant()
        if self.rng.random() < 0.1:
            block = [("ABORT",)]
        else:
            block = self.inner(held + ("if",))
        load = [("LOAD", r, self.to_read())] if self.rng.random() < 0.7 else []
        return load + [("if", r, c, block)]

    def family_pointer(self, held):
        return [(self.rng.choice(("PUT", "DROP")), self.register())]

    def unguarded(self, held):
        p = self.rng.randrange(programs.LIMITS["PLAINS"])
        return [self.rng.choice((("PLAIN_STORE", p, self.constant()),
                                 ("PLAIN_LOAD", self.register(), p)))]

    def guarded(self, lock):
        """An access to the data of the lock that was taken last."""
        r, c = self.register(), self.constant()
        if lock == "rd":
            return ("RW_GET", r)
        if lock == "wr":
            return self.rng.choice((("RW_GET", r), ("RW_ADD", c)))
        if lock == "sp":
            return ("SPIN_ADD", 1)
        if lock == "if":
            return self.memory(())[0]
        return self.rng.choice((("DATA_ADD", lock, 1), ("DATA_SET", lock, c),
                                ("DATA_GET", r, lock)))

    # ---- locks ----

    def family_mutex(self, held):
        free = [m for m in range(programs.LIMITS["MUTEXES"]) if m not in held]
        if not free:
            return []
        m = self.rng.choice(free)
        how = self.rng.choice(("lock", "lock", "lock", "lock", "trylock", "timedlock", "spintry"))
        if how == "spintry" and "spin" not in self.families:
            how = "trylock"
        first = (self.register(),) if programs.may_fail(how) else ()
        return [(how, *first, m, self.inner(held + (m,)))]

    def family_rw(self, held):
        if "rd" in held or "wr" in held:
            return []
        how = self.rng.choice(("rd", "rd", "wr", "wr", "tryrd", "trywr", "timedrd", "timedwr"))
        first = (self.register(),) if programs.may_fail(how) else ()
        return [(how, *first, self.inner(held + (how[-2:],)))]

    def family_spinlock(self, held):
        if "sp" in held:
            return []
        how = self.rng.choice(("sp", "sp", "sptry"))
        first = (self.register(),) if how == "sptry" else ()
        return [(how, *first, self.inner(held + ("sp",)))]

    def is_victim(self):
        return self.thread == self.victim

    def family_cond(self, held):
        """Of condition 1 only the thread that is cancelled waits, if there is one."""
        rng = self.rng
        m, v = rng.randrange(2), rng.choice((1, 1, 2))
        if rng.random() < 0.2:
            return [(rng.choice(("SIGNAL", "BROADCAST")), m)]
        if m in held:
            return []
        if rng.random() < 0.5:
            return [("wake", m, v, rng.choice(("SIGNAL", "SIGNAL", "BROADCAST")))]
        if self.is_victim():
            return [] if held or m == 0 else [("wait", 3, 1, v, "clean")]
        if self.victim and m == 1:
            return []
        how = rng.choice(("while", "while", "once", "timed"))
        return [("wait", self.register(), m, v, how)]

    # ---- counting ----

    def family_sem(self, held):
        s, r = self.rng.randrange(programs.LIMITS["SEMAPHORES"]), self.register()
        choices = [("POST", s)] * 4 + [("TRYDOWN", r, s), ("SEMGET", r, s)]
        if not (self.is_victim() and held):
            choices += [("DOWN", s), ("DOWN", s), ("TIMEDDOWN", r, s)]
        return [self.rng.choice(choices)]

    def family_barrier(self, held):
        return [("BARRIER", self.register())]

    def family_once(self, held):
        return [("ONCE", self.rng.randrange(2))]

    def family_futex(self, held):
        x, c, r = self.to_read(), self.constant(), self.register()
        return [self.rng.choice((("FWAIT", r, x, c), ("FWAIT", r, x, c), ("FTIMED", r, x, c),
                                 ("FWAKE", r, x, 1), ("FWAKE", r, x, 1),
                                 ("FWAKE", r, x, self.rng.randint(1, 3))))]

    def family_pipe(self, held):
        if self.is_victim() and held:
            return []  # reading and writing are cancellation points
        return [self.rng.choice((("PIPE_PUT", self.constant()), ("PIPE_PUT", self.constant()),
                                 ("PIPE_GET", self.register())))]

    def family_fd(self, held):
        """Numbers of descriptors, which all threads take from one set; so does a pipe."""
        r, c = self.register(), self.rng.randrange(2)
        if self.is_victim() or "pipe" in self.families:
            return []
        op = self.rng.choice((("FD_OPEN", r), ("FD_OPEN", r), ("FD_CLOSE", r, c),
                              ("FD_LOOK", r, c)))
        self.opened += op[0] == "FD_OPEN"
        return [op] if self.opened < 8 else []

    def family_sleep(self, held):
        return [] if self.is_victim() and held else [("SLEEP", self.rng.randint(1, 3))]

    # ---- threads and the end ----

    def family_spawn(self, held):
        """The last thread is created by another; also in a condition, so perhaps never."""
        if self.has_spawned or self.thread == self.child or self.is_victim() or set(held) - {"if"}:
            return []
        self.has_spawned = True
        how = self.rng.choice(("join", "join", "tryjoin", "detach"))
        if how == "detach" and self.families & {"exit", "pointer"}:
            how = "join"
        return [("spawn", self.child, how, 3, self.inner(("if",)))]

    def family_cancel(self, held):
        if not self.is_victim():
            return [("CANCEL", self.victim)] if self.thread != self.child else []
        return [] if held else [self.rng.choice((("TESTCANCEL",), ("TESTCANCEL",), ("DOWN", 0)))]

    def family_signal(self, held):
        """Thread 1 is sent signals; any thread may take one that is sent to the process."""
        rng = self.rng
        if not self.sent:  # more than two would be named by the tool
            self.sent = rng.sample(("KILL", "KILL", "HIT", "HIT", "KILL_ALL"), 2)
        choices = [("SIGLOOK", self.register())] + [("KILL_ALL",)] * ("KILL_ALL" in self.sent)
        if not (self.is_victim() and held):
            choices += [("SIGWAIT",)] * (4 if self.thread == 1 else 1)
        if self.thread not in (1, self.child):
            choices += [(name, 1) for name in self.sent if name != "KILL_ALL"] * 2
        return [rng.choice(choices)]

    def family_key(self, held):
        return [("KEY", self.to_write())]

    def family_exit(self, held):
        c = self.rng.randint(1, 2)
        if held and "if" not in held:
            return []
        end = self.rng.choice((("EXIT", c), ("EXIT_NOW", c), ("ABORT",)))
        if not held and self.rng.random() < 0.3:
            end = ("LEAVE",)
        if self.rng.random() < 0.3:
            return [end]
        r = self.register()
        return [("LOAD", r, self.to_read()), ("if", r, self.constant(), [end])]

    # ---- loops ----

    def family_spin(self, held):
        rng = self.rng
        x, c, r = self.to_read(), self.constant(), self.register()
        other = (x + 1) % X
        single = [(name, x, c + 1) for name in ("SPIN", "SPIN_PAUSE", "SPIN_YIELD", "SPIN_BEAT")]
        m = rng.randrange(2)
        return [rng.choice(single + single + [
            ("AWAIT", r, x, c + 1), ("AWAIT", r, x, c + 1), ("FRESH", r, x),
            ("SPIN_BOTH", x, c + 1, other, self.constant()), ("SPIN_SUM", x, other, c + 1),
            ("SPIN_CAS", x, c, c + 1), ("SPIN_TAS", x), ("SPIN_SEM", rng.randrange(2)),
            ("SPIN_POLL", m, 1) if m not in held else ("SPIN", x, 1),
            ("COUNTED", r, x, c + 1, 2), ("RETRY", r, x)])]


if __name__ == "__main__":
    import sys
    print(programs.to_c(Generator(int(sys.argv[1]), "--plain" in sys.argv).program()), end="")

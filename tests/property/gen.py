"""Generate small random threaded C programs.

A program is plain data: a list of threads, each a block, which is a list of operations:

    ("store", x, c)            x is one of the atomics, c a small constant
    ("load", r, x)             r is one of the thread's own registers
    ("add", r, x, c)           r = fetch_add
    ("xchg", r, x, c)
    ("cas", r, x, a, b)        r = whether it succeeded
    ("if", r, c, block)        if register r equals c
    ("lock", m, block)         the block under mutex m, then unlock
    ("try", r, m, block)       the block only if trylock got m; r says whether
    ("rwlock", mode, block)    the block under the read-write lock; mode "rd" or "wr"
    ("wait", c)                lock; while (!flag) cond_wait; unlock
    ("wait_once", c)           lock; if (!flag) cond_wait; unlock
    ("wake", c, how)           lock; flag = 1; signal or broadcast; unlock
    ("post", s) ("down", s) ("trydown", r, s)     semaphores
    ("spin", x, c)             while (x != c) ;
    ("await", r, x, c)         while ((r = x) < c) ; x may go down again
    ("fresh", r, x)            while ((r = x) == last) ; last = r, in memory of the thread's own
    ("count", m)               plain counter of mutex m, only ever inside ("lock", m, …)
    ("put",) ("drop",)         exchange a shared pointer for a fresh block or for none, and
                               free what was there
    ("plain", p, c) ("plainread", r, p)           an unguarded plain variable: a race

Deadlocks, lost wake-ups and endless spinning are allowed to happen. Every program prints
all shared variables and registers at its end, so that the set of its outcomes says which
orders were tried.
"""

import random

ATOMICS, MUTEXES, CONDS, SEMS, PLAINS, REGISTERS = 2, 2, 1, 1, 1, 3

HEADER = """\
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int x[%d];
static pthread_mutex_t m[%d];
static int counter[%d];
static pthread_mutex_t cm[%d];
static pthread_cond_t c[%d];
static int flag[%d];
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static sem_t s[%d];
static int p[%d];
static int *_Atomic shared;
static int last[4];
static int result[4][%d];
""" % (ATOMICS, MUTEXES, MUTEXES, CONDS, CONDS, CONDS, SEMS, PLAINS, REGISTERS)


class Generator:
    """Makes one program from a seed. `plain` allows data races; `limit` bounds the number
    of interleavings, and so the size."""

    def __init__(self, seed, plain=False, limit=2000):
        self.rng = random.Random(seed)
        self.plain = plain
        self.limit = limit
        self.spins = False

    def program(self):
        """Returns a program whose interleavings are few enough to be exhausted."""
        while True:
            threads = self.rng.choice((2, 2, 2, 3, 3, 4))
            budget = {2: 6, 3: 4, 4: 2}[threads] * (2 if self.limit > 100000 else 1)
            self.spins = self.rng.random() < 0.3
            program = [self.block(self.rng.randint(budget // 2, budget), ())
                       for _ in range(threads)]
            if 20 <= interleavings(program) <= self.limit:
                return program

    def block(self, size, held):
        return [self.operation(held, size) for _ in range(size)]

    def operation(self, held, size):
        simple = [self.memory] * 8 + [self.semaphore, self.pointer]
        if self.spins:
            simple.append(self.spin)
        if self.plain:
            simple.append(self.unguarded)
        nested = [self.condition, self.locked, self.locked, self.tried, self.branch,
                  self.shared]
        if held and held[-1] != "rw" and self.rng.random() < 0.5:
            return ("count", held[-1])
        return self.rng.choice(simple + (nested if len(held) < 2 else []))(held)

    def register(self):
        return self.rng.randrange(REGISTERS)

    def atomic(self):
        return self.rng.randrange(ATOMICS)

    def constant(self):
        return self.rng.randint(0, 2)

    def inner(self, held):
        return self.block(self.rng.randint(0, 2), held)

    def memory(self, held):
        x, r, c = self.atomic(), self.register(), self.constant()
        return self.rng.choice((("store", x, c + 1), ("store", x, c + 1), ("load", r, x),
                                ("load", r, x), ("add", r, x, 1), ("xchg", r, x, c),
                                ("cas", r, x, c, c + 1)))

    def semaphore(self, held):
        s = self.rng.randrange(SEMS)
        return self.rng.choice((("post", s), ("post", s), ("post", s), ("down", s),
                                ("trydown", self.register(), s)))

    def pointer(self, held):
        return self.rng.choice((("put",), ("drop",)))

    def spin(self, held):
        x, r, c = self.atomic(), self.register(), self.constant()
        return self.rng.choice((("spin", x, c + 1), ("await", r, x, c + 1), ("fresh", r, x)))

    def unguarded(self, held):
        p = self.rng.randrange(PLAINS)
        return self.rng.choice((("plain", p, self.constant()),
                                ("plainread", self.register(), p)))

    def condition(self, held):
        c = self.rng.randrange(CONDS)
        return self.rng.choice((("wait", c), ("wait_once", c), ("wake", c, "signal"),
                                ("wake", c, "signal"), ("wake", c, "broadcast")))

    def locked(self, held):
        free = [m for m in range(MUTEXES) if m not in held]
        m = self.rng.choice(free) if free else 0
        if m in held:
            return self.memory(held)
        return ("lock", m, self.inner(held + (m,)))

    def tried(self, held):
        free = [m for m in range(MUTEXES) if m not in held]
        if not free:
            return self.memory(held)
        m = self.rng.choice(free)
        return ("try", self.register(), m, self.inner(held + (m,)))

    def branch(self, held):
        return ("if", self.register(), self.constant(), self.inner(held))

    def shared(self, held):
        if "rw" in held:
            return self.memory(held)
        mode = self.rng.choice(("rd", "wr"))
        return ("rwlock", mode, self.inner(held + ("rw",)))


def steps(block):
    """An upper bound on the visible steps of a block."""
    total = 0
    for op in block:
        if op[0] in ("lock", "try", "rwlock"):
            total += 2 + steps(op[-1])
        elif op[0] == "if":
            total += steps(op[-1])
        elif op[0] in ("wait", "wait_once", "wake"):
            total += 3
        elif op[0] == "count":
            total += 0
        else:
            total += 1
    return total


def interleavings(program):
    """How many ways there are to interleave the steps, an upper bound."""
    total, count = 0, 1
    for block in program:
        for i in range(1, steps(block) + 1):
            total += 1
            count = count * total // i
    return count


class Emitter:
    """Writes a program as C."""

    def __init__(self):
        self.lines = []
        self.number = 0  # of the thread

    def line(self, depth, text):
        self.lines.append("\t" * depth + text)

    def block(self, block, depth):
        for op in block:
            getattr(self, "emit_" + op[0])(depth, *op[1:])

    def emit_store(self, d, x, c):
        self.line(d, "x[%d] = %d;" % (x, c))

    def emit_load(self, d, r, x):
        self.line(d, "r[%d] = x[%d];" % (r, x))

    def emit_add(self, d, r, x, c):
        self.line(d, "r[%d] = atomic_fetch_add(&x[%d], %d);" % (r, x, c))

    def emit_xchg(self, d, r, x, c):
        self.line(d, "r[%d] = atomic_exchange(&x[%d], %d);" % (r, x, c))

    def emit_cas(self, d, r, x, a, b):
        self.line(d, "{ int e = %d; r[%d] = atomic_compare_exchange_strong(&x[%d], &e, %d); }"
                  % (a, r, x, b))

    def emit_if(self, d, r, c, block):
        self.line(d, "if (r[%d] == %d) {" % (r, c))
        self.block(block, d + 1)
        self.line(d, "}")

    def emit_lock(self, d, m, block):
        self.line(d, "pthread_mutex_lock(&m[%d]);" % m)
        self.block(block, d)
        self.line(d, "pthread_mutex_unlock(&m[%d]);" % m)

    def emit_try(self, d, r, m, block):
        self.line(d, "r[%d] = pthread_mutex_trylock(&m[%d]) == 0;" % (r, m))
        self.line(d, "if (r[%d]) {" % r)
        self.block(block, d + 1)
        self.line(d + 1, "pthread_mutex_unlock(&m[%d]);" % m)
        self.line(d, "}")

    def emit_rwlock(self, d, mode, block):
        self.line(d, "pthread_rwlock_%slock(&rw);" % mode)
        self.block(block, d)
        self.line(d, "pthread_rwlock_unlock(&rw);")

    def emit_wait(self, d, c, test="while"):
        self.line(d, "pthread_mutex_lock(&cm[%d]);" % c)
        self.line(d, "%s (!flag[%d])" % (test, c))
        self.line(d + 1, "pthread_cond_wait(&c[%d], &cm[%d]);" % (c, c))
        self.line(d, "pthread_mutex_unlock(&cm[%d]);" % c)

    def emit_wait_once(self, d, c):
        self.emit_wait(d, c, "if")

    def emit_wake(self, d, c, how):
        self.line(d, "pthread_mutex_lock(&cm[%d]);" % c)
        self.line(d, "flag[%d] = 1;" % c)
        self.line(d, "pthread_cond_%s(&c[%d]);" % (how, c))
        self.line(d, "pthread_mutex_unlock(&cm[%d]);" % c)

    def emit_post(self, d, s):
        self.line(d, "sem_post(&s[%d]);" % s)

    def emit_down(self, d, s):
        self.line(d, "sem_wait(&s[%d]);" % s)

    def emit_trydown(self, d, r, s):
        self.line(d, "r[%d] = sem_trywait(&s[%d]) == 0;" % (r, s))

    def emit_spin(self, d, x, c):
        self.line(d, "while (x[%d] != %d)" % (x, c))
        self.line(d + 1, ";")

    def emit_await(self, d, r, x, c):
        self.line(d, "while ((r[%d] = x[%d]) < %d)" % (r, x, c))
        self.line(d + 1, ";")

    def emit_fresh(self, d, r, x):
        self.line(d, "while ((r[%d] = x[%d]) == last[%d])" % (r, x, self.number))
        self.line(d + 1, ";")
        self.line(d, "last[%d] = r[%d];" % (self.number, r))

    def emit_count(self, d, m):
        self.line(d, "counter[%d]++;" % m)

    def emit_put(self, d):
        self.line(d, "free(atomic_exchange(&shared, calloc(1, sizeof(int))));")

    def emit_drop(self, d):
        self.line(d, "free(atomic_exchange(&shared, NULL));")

    def emit_plain(self, d, p, c):
        self.line(d, "p[%d] = %d;" % (p, c))

    def emit_plainread(self, d, r, p):
        self.line(d, "r[%d] = p[%d];" % (r, p))

    def thread(self, number, block):
        self.number = number
        self.line(0, "\nstatic void *thread%d(void *arg)\n{" % number)
        self.line(1, "int r[%d] = { 0 };\n" % REGISTERS)
        self.block(block, 1)
        self.line(1, "for (int i = 0; i < %d; i++)" % REGISTERS)
        self.line(2, "result[%d][i] = r[i];" % number)
        self.line(1, "return arg;\n}")

    def main(self, threads):
        self.line(0, "\nint main(void)\n{\n\tpthread_t t[%d];\n" % threads)
        for name, count, call in (("m", MUTEXES, "pthread_mutex_init(&m[i], NULL)"),
                                  ("cm", CONDS, "pthread_mutex_init(&cm[i], NULL)"),
                                  ("c", CONDS, "pthread_cond_init(&c[i], NULL)"),
                                  ("s", SEMS, "sem_init(&s[i], 0, 0)")):
            self.line(1, "for (int i = 0; i < %d; i++)\n\t\t%s;" % (count, call))
        for n in range(threads):
            self.line(1, "pthread_create(&t[%d], NULL, thread%d, NULL);" % (n, n))
        for n in range(threads):
            self.line(1, "pthread_join(t[%d], NULL);" % n)
        self.line(1, "for (int i = 0; i < %d; i++)\n\t\tprintf(\"%%d \", x[i]);" % ATOMICS)
        self.line(1, "for (int i = 0; i < %d; i++)\n\t\tprintf(\"%%d \", counter[i]);" % MUTEXES)
        self.line(1, "printf(\"%d %d\", p[0], shared != NULL);")
        self.line(1, "free(shared);")
        self.line(1, "for (int i = 0; i < %d; i++)" % (threads * REGISTERS))
        self.line(2, "printf(\" %%d\", result[i / %d][i %% %d]);" % (REGISTERS, REGISTERS))
        self.line(1, "puts(\"\");\n\treturn 0;\n}")


def to_c(program):
    emitter = Emitter()
    for number, block in enumerate(program):
        emitter.thread(number, block)
    emitter.main(len(program))
    return HEADER + "\n".join(emitter.lines) + "\n"


if __name__ == "__main__":
    import sys
    print(to_c(Generator(int(sys.argv[1]), "--plain" in sys.argv).program()), end="")

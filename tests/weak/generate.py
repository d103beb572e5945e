"""Random small programs: as text for the enumerator (enumerate.c), and the same in C."""

import random

C_ORDER = {"rlx": "memory_order_relaxed", "acq": "memory_order_acquire",
           "rel": "memory_order_release", "ar": "memory_order_acq_rel",
           "sc": "memory_order_seq_cst"}
LOADS, STORES = ("rlx", "acq", "sc"), ("rlx", "rel", "sc")
UPDATES = ("rlx", "acq", "rel", "ar", "sc")
FENCES = ("acq", "rel", "ar", "sc", "sc")


def make_step(rng, orders):
    what = rng.choice(("load", "load", "load", "store", "store", "store", "add", "xchg", "cas",
                       "fence"))
    var = rng.choice("xy")

    def order(of):
        return rng.choice([o for o in of if o in orders] or ["sc"])

    if what == "load":
        return (what, var, order(LOADS))
    if what in ("store", "xchg"):
        return (what, var, rng.randint(1, 2), order(STORES if what == "store" else UPDATES))
    if what == "add":
        return (what, var, 1, order(UPDATES))
    if what == "cas":
        return (what, var, rng.randint(0, 2), rng.randint(1, 3), order(UPDATES), order(LOADS))
    return (what, order(FENCES))


def put_into(rng, steps, mutex):
    begin = rng.randint(0, len(steps) - 1)
    end = rng.randint(begin + 1, len(steps))
    return (steps[:begin] + [("lock", mutex)] + steps[begin:end] + [("unlock", mutex)] +
            steps[end:])


def put_objects_into(rng, steps):
    """Puts steps on locks and a semaphore into the steps of a thread."""
    what = rng.choice(("try", "semaphore", "trywait", "read", "write", "read"))
    begin = rng.randint(0, len(steps))
    end = rng.randint(begin, len(steps))
    first, last = {
        "try": ([("try", "m")], [("untry", "m")]),
        "semaphore": ([("wait", "s")], [("post", "s")]),
        "trywait": ([("trywait", "s")], rng.choice(([], [("post", "s")]))),
        "read": ([("rdlock", "w")], [("rdunlock", "w")]),
        "write": ([("wrlock", "w")], [("wrunlock", "w")]),
    }[what]
    if what == "semaphore":
        first, last = rng.choice(((first, last), (first, []), ([], last)))
    return steps[:begin] + first + steps[begin:end] + last + steps[end:]


def make_plain(rng, step):
    """The step with a plain access, now and then. A plain access is not synchronisation."""
    if step[0] not in ("load", "store") or rng.random() < 0.6:
        return step
    return step[:-1] + ("na",)


def make_plain_program(seed):
    """A program that may race, for --ignore race."""
    rng = random.Random(seed)
    return [[make_plain(rng, step) for step in steps] for steps in make_program(seed)]


def make_waiting_program(seed):
    """A program with loops that wait for a value."""
    rng = random.Random(seed)
    program = [[step for step in steps if step[0] not in OBJECT_IN_C]
               for steps in make_program(seed)]
    for steps in program:
        if steps and rng.random() < 0.7:
            steps[rng.randrange(len(steps))] = ("await", rng.choice("xy"), rng.randint(0, 2),
                                                rng.choice(LOADS))
    return program


def make_program(seed):
    """Two or three threads. One program in four has mutexes, one in four other objects, one in four
    only two orders."""
    rng = random.Random(seed)
    orders = rng.choice((UPDATES, UPDATES, ("rlx", "sc"), ("rlx", "rel", "acq")))
    threads, has_lock = rng.choice((2, 2, 3)), rng.random() < 0.25
    has_objects = not has_lock and random.Random(seed * 7 + 1).random() < 0.33
    program = []
    for _ in range(threads):
        steps = [make_step(rng, orders) for _ in range(rng.randint(2, 4 if threads == 2 else 3))]
        if has_lock and rng.random() < 0.8:
            mutexes = rng.sample(("m", "n"), 2)
            steps = put_into(rng, steps[:3], mutexes[0])
            if rng.random() < 0.5:
                steps = put_into(rng, steps, mutexes[1])
        elif has_objects:
            steps = put_objects_into(rng, steps[:3])
        program.append(steps)
    return program


def make_seq_cst_program(seed):
    """A program whose atomics are all seq_cst, so that every run is sequentially consistent."""
    return [[tuple("sc" if word in C_ORDER else word for word in step) for step in steps]
            for steps in make_program(seed)]


def make_futex_program(seed):
    """A program with futexes: threads that wait while a variable has a value, and wake-ups."""
    rng = random.Random(seed)
    program = [[step for step in steps if step[0] not in OBJECT_IN_C][:3]
               for steps in make_program(seed)]
    waits = [rng.random() < 0.6 for _ in program]
    if not any(waits):
        waits[0] = True
    for steps, is_waiting in zip(program, waits):
        var = rng.choice("xxxy")
        if is_waiting:
            step = ("fwait", var, rng.randint(0, 1))
        else:
            step = (rng.choice(("fwake", "fwake", "fwakeall")), var)
        del steps[2:]
        steps.insert(rng.randint(0, len(steps)), step)
        if not is_waiting and rng.random() < 0.4:
            steps.append((rng.choice(("fwake", "fwakeall")), rng.choice("xxxy")))
    program[0].insert(0, ("load", "y", "rlx"))  # else dpor may make the search, and counts otherwise
    return program


# The shapes of the literature: threads are separated by "|"; "x=1" is a store, "x" a load.
SHAPES = {
    "CoRR": "x=1|x x", "CoRR2": "x=1|x=2|x x|x x", "CoWW": "x=1 x=2|x", "CoWR": "x=1 x|x=2",
    "CoRW": "x x=1|x=2", "CoRW2": "x=1|x x=2|x x", "CoRSDWI": "x=1|x x=2|x=3 x",
    "SB": "x=1 y|y=1 x", "SB3": "x=1 y|y=1 z|z=1 x", "SB+rfi": "x=1 x y|y=1 y x",
    "LB": "x y=1|y x=1", "LB3": "x y=1|y z=1|z x=1", "LB+co": "x y=1|y x=1|x=2",
    "MP": "x=1 y=1|y x", "MP2": "x=1 y=1|y z=1|z x", "MP+co": "x=1 y=1|y=2 x",
    "MP+rs": "x=1 y=1 y=2|y x", "MP+rmw": "x=1 y=1|y+1|y x", "MP+rmw2": "x=1 y=1|y+1|y+1|y x",
    "2+2W": "x=1 y=2|y=1 x=2", "3.2W": "x=1 y=2|y=1 z=2|z=1 x=2", "R": "x=1 y=1|y=2 x",
    "S": "x=2 y=1|y x=1", "S+co": "x=2 y=1|y x=1|x", "WRC": "x=1|x y=1|y x",
    "WRW+2W": "x=2|x y=1|y=2 x=1", "WRR+2W": "x=2|x y|y=1 x=1", "WRW+WR": "x=1|x y=1|y=2 x",
    "RWC": "x=1|x y|y=1 x", "W+RWC": "x=1 z=1|z y|y=1 x", "WWC": "x=2|x y=1|y x=1",
    "IRIW": "x=1|y=1|x y|y x", "IRRWIW": "x=2|y=2|x y|y x=1", "IRWIW": "x=2|y=2|x y=1|y x=1",
    "ISA2": "x=1 y=1|y z=1|z x", "Z6.0": "x=1 y=1|y z=1|z=2 x", "Z6.1": "x=1 y=1|y=2 z=1|z x=2",
    "Z6.2": "x=2 y=1|y z=1|z x=1", "Z6.3": "x=1 y=1|y=2 z=1|z x", "Z6.4": "x=1 y=1|y=2 z|z=1 x",
    "Z6.5": "x=1 y=2|y=1 z|z=1 x", "Z6U": "x=1 y=1|y+1 y|y=3 x", "RMW2": "x+1|x+1",
    "RMW3": "x+1 y|x+1 y=1|x+1", "SBx": "x+1 y|y+1 x", "SBcas": "x?0 y|y?0 x",
    "CAS2": "x?0 x|x?0 x", "CASrel": "x=1 y?0|y?1 x", "CASfail": "x=1 y=2|y?1 x",
    "Dekker": "x=1 y?0 z|z=1 y?0 x", "Peterson": "x=1 z=1 y z|y=1 z=2 x z",
    "Lock": "x?0 y x=0|x?0 y=1 x=0", "PPOCA": "x=1 y=1|y z=1 z x",
    "LockSB": "lock y x=1 unlock y|lock y=1 unlock x", "TrySB": "x=1 try z untry|try x untry z=1",
    "LockMP": "x=1 lock y=1 unlock|lock y unlock x", "SemMP": "wait x=1 post|trywait x post",
    "SemSB": "wait x=1 post y|y=1 wait post x", "RdSB": "rdlock x=1 y rdunlock|rdlock y=1 x rdunlock",
    "RwMP": "wrlock x=1 wrunlock y=1|y rdlock x rdunlock",
    "FutexMP": "fwait:x:0 y|y=1 x=1 fwake:x", "FutexSB": "fwait:x:0 y|x=1 y fwake:x",
    "Futex2": "fwait:x:0|fwait:x:0|x=1 fwake:x fwake:x", "Notify": "x=1 fwakeall:x y|y=1 fwait:x:0",
}
OBJECT_OF = {"lock": "m", "unlock": "m", "try": "m", "untry": "m", "wait": "s", "post": "s",
             "trywait": "s", "rdlock": "w", "rdunlock": "w", "wrlock": "w", "wrunlock": "w"}


def shape_step(rng, word, choose):
    """The step of a shape, with a random order; now and then an update instead of a load or store."""
    if word in OBJECT_OF:
        return (word, OBJECT_OF[word])
    if word[0] == "f":
        words = word.split(":")
        return (words[0], words[1]) + tuple(int(value) for value in words[2:])
    var = word[0]
    if len(word) == 1 and rng.random() < 0.85:
        return ("load", var, choose(LOADS))
    if len(word) == 1 or word[1] == "+":
        return ("add", var, len(word) - 1 and 1, choose(UPDATES))
    if word[1] == "?":
        return ("cas", var, int(word[2]), int(word[2]) + 1, choose(UPDATES), choose(LOADS))
    if rng.random() < 0.85:
        return ("store", var, int(word[2]), choose(STORES))
    return ("xchg", var, int(word[2]), choose(UPDATES))


def make_shape(seed):
    """The shapes one after another, each time with other orders and fences between the steps."""
    rng = random.Random(seed)
    names = sorted(SHAPES)
    orders = rng.choice((UPDATES, UPDATES, ("rlx", "sc"), ("rlx", "rel", "acq"), ("rlx",)))
    fences = rng.choice((0, 0.3, 0.8))

    def choose(of):
        return rng.choice([order for order in of if order in orders] or ["rlx"])

    program = []
    for thread in SHAPES[names[seed % len(names)]].split("|"):
        steps = [shape_step(rng, word, choose) for word in thread.split()]
        for place in range(len(steps) - 1, 0, -1):
            if rng.random() < fences:
                steps.insert(place, ("fence", rng.choice(FENCES)))
        program.append(steps)
    if "fwa" in SHAPES[names[seed % len(names)]]:
        program[0].insert(0, ("load", "z", "rlx"))  # as in make_futex_program
    return program


def in_words(program):
    """The program as a line of the enumerator's input."""
    return "|".join(";".join(" ".join(map(str, step)) for step in steps) or "fence rlx"
                    for steps in program)


OBJECT_IN_C = {
    "lock": "pthread_mutex_lock(&OBJECT);",
    "unlock": "pthread_mutex_unlock(&OBJECT);",
    "try": "RESULT = pthread_mutex_trylock(&OBJECT) == 0;\n\tint has_OBJECT = RESULT;",
    "untry": "if (has_OBJECT)\n\t\tpthread_mutex_unlock(&OBJECT);",
    "wait": "sem_wait(&OBJECT);",
    "post": "sem_post(&OBJECT);",
    "trywait": "RESULT = sem_trywait(&OBJECT) == 0;",
    "rdlock": "pthread_rwlock_rdlock(&OBJECT);",
    "rdunlock": "pthread_rwlock_unlock(&OBJECT);",
    "wrlock": "pthread_rwlock_wrlock(&OBJECT);",
    "wrunlock": "pthread_rwlock_unlock(&OBJECT);",
}
READS = ("await", "load", "add", "xchg", "cas", "try", "trywait", "fwait")
FUTEX_IN_C = {
    "fwait": "RESULT = syscall(SYS_futex, &VAR, FUTEX_WAIT_PRIVATE, %s, NULL, NULL, 0) == 0;",
    "fwake": "syscall(SYS_futex, &VAR, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);",
    "fwakeall": "syscall(SYS_futex, &VAR, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);",
}


def step_in_c(step, register):
    what = step[0]
    if what == "fence":
        return "atomic_thread_fence(%s);" % C_ORDER[step[1]]
    if what in OBJECT_IN_C:
        return OBJECT_IN_C[what].replace("OBJECT", step[1]).replace("RESULT", register)
    if what in FUTEX_IN_C:
        call = FUTEX_IN_C[what].replace("VAR", step[1]).replace("RESULT", register)
        return call % step[2] if what == "fwait" else call
    var = "&" + step[1]
    if step[-1] == "na":
        place = "*(volatile word *)" + var
        return "%s = %s;" % ((register, place) if what == "load" else (place, step[2]))
    if what == "await":
        return "while (atomic_load_explicit(%s, %s) != %d)\n\t\t;\n\t%s = %d;" % (
            var, C_ORDER[step[3]], step[2], register, step[2])
    if what == "load":
        return "%s = atomic_load_explicit(%s, %s);" % (register, var, C_ORDER[step[2]])
    if what == "store":
        return "atomic_store_explicit(%s, %d, %s);" % (var, step[2], C_ORDER[step[3]])
    if what == "add":
        return "%s = atomic_fetch_add_explicit(%s, %d, %s);" % (register, var, step[2],
                                                                C_ORDER[step[3]])
    if what == "xchg":
        return "%s = atomic_exchange_explicit(%s, %d, %s);" % (register, var, step[2],
                                                               C_ORDER[step[3]])
    return "{\n\t\tword found = %d;\n\t\tCAS(%s, &found, %d, %s, %s);\n\t\t%s = found;\n\t}" % (
        step[2], var, step[3], "__ATOMIC_" + C_ORDER[step[4]][13:].upper(),
        "__ATOMIC_" + C_ORDER[step[5]][13:].upper(), register)


WIDTHS = (("int", 32), ("unsigned char", 8), ("long", 64), ("short", 16))

HEAD = """#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef WORD word;
/* The compiler's own name of the operation: a failure order stronger than the success order is
 * allowed by C++17 but refused by some compilers. */
#define CAS __tsan_atomicWIDTH_compare_exchange_strong
_Bool CAS(volatile void *, void *, word, int, int);
_Atomic word x, y, z;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
sem_t s;
int r[64];
"""


def in_c(programs, width=0, last="rlx"):
    """One C program for all of them; its argument chooses one. `width` chooses the type of the
    variables, `last` the order of the loads at the end."""
    word, bits = WIDTHS[width]
    lines, table = [HEAD.replace("WORD", word).replace("WIDTH", str(bits))], []
    for p, program in enumerate(programs):
        register = 0
        names = []
        for t, steps in enumerate(program):
            names.append("p%dt%d" % (p, t))
            lines.append("static void *%s(void *unused)\n{" % names[-1])
            for step in steps:
                lines.append("\t" + step_in_c(step, "r[%d]" % register))
                register += step[0] in READS
            lines.append("\treturn unused;\n}")
        table.append("{%d, %d, {%s}}" % (len(program), register, ", ".join(names)))
    lines.append("static const struct {\n\tint threads, registers;\n\tvoid *(*code[4])(void *);\n"
                 "} all[] = {")
    lines.append(",\n".join("\t" + entry for entry in table) + "\n};")
    lines.append(MAIN.replace("FINAL", C_ORDER[last]))
    return "\n".join(lines)


MAIN = """int main(int argc, char **argv)
{
	int which = argc > 1 ? atoi(argv[1]) : 0;
	pthread_t threads[4];

	sem_init(&s, 0, 1);
	for (int i = 0; i < all[which].threads; i++)
		pthread_create(&threads[i], NULL, all[which].code[i], NULL);
	for (int i = 0; i < all[which].threads; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < all[which].registers; i++)
		printf("%d ", r[i]);
	printf("%d ", (int)atomic_load_explicit(&x, FINAL));
	printf("%d ", (int)atomic_load_explicit(&y, FINAL));
	printf("%d\\n", (int)atomic_load_explicit(&z, FINAL));
	return 0;
}
"""

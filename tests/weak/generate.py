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
_Atomic word x, y;
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
    lines.append("static const struct {\n\tint threads, registers;\n\tvoid *(*code[3])(void *);\n"
                 "} all[] = {")
    lines.append(",\n".join("\t" + entry for entry in table) + "\n};")
    lines.append(MAIN.replace("FINAL", C_ORDER[last]))
    return "\n".join(lines)


MAIN = """int main(int argc, char **argv)
{
	int which = argc > 1 ? atoi(argv[1]) : 0;
	pthread_t threads[3];

	sem_init(&s, 0, 1);
	for (int i = 0; i < all[which].threads; i++)
		pthread_create(&threads[i], NULL, all[which].code[i], NULL);
	for (int i = 0; i < all[which].threads; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < all[which].registers; i++)
		printf("%d ", r[i]);
	printf("%d ", (int)atomic_load_explicit(&x, FINAL));
	printf("%d\\n", (int)atomic_load_explicit(&y, FINAL));
	return 0;
}
"""

/* Futexes together with relaxed atomics: a lock with three states, and an event with a count of those
 * that wait. A futex orders nothing but this: a thread that begins to wait after a wake-up sees the
 * stores before the wake-up.
 *
 * rc11: proved
 * tso: proved
 * rc11 -DUNLOCK=relaxed: race
 * rc11 -DLOCK=relaxed: race
 * rc11 -DEVENT: deadlock
 * tso -DEVENT: deadlock
 * rc11 -DEVENT -DFENCED: proved
 * tso -DEVENT -DFENCED: proved
 * rc11 -DEVENT -DLEVEL=seq_cst: proved
 * rc11 -DEVENT -DALWAYS: proved
 * tso -DEVENT -DALWAYS: proved
 * rc11 -DTIMED: unproved
 * rc11 -DBARE: race
 * rc11 -DEVENT suggests: store word: seq_cst instead of relaxed
 * rc11 -DEVENT suggests: load waiting: seq_cst instead of relaxed
 * rc11 -DEVENT suggests: update waiting: seq_cst instead of relaxed
 */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "weak.h"

#ifndef LEVEL
#define LEVEL relaxed
#endif
#ifndef LOCK
#define LOCK acquire
#endif
#ifndef UNLOCK
#define UNLOCK release
#endif

atomic_int word, waiting, done;
int data;

static void futex_wait(int expected)
{
#ifdef TIMED
	struct timespec limit = {0, 1000};

	syscall(SYS_futex, &word, FUTEX_WAIT, expected, &limit, NULL, 0);
#else
	syscall(SYS_futex, &word, FUTEX_WAIT, expected, NULL, NULL, 0);
#endif
}

static void futex_wake(void)
{
	syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

#ifdef EVENT
static void *set(void *unused)
{
	STORE_TO(word, 1, LEVEL);
#ifdef FENCED
	FENCE(seq_cst);
#endif
#ifndef ALWAYS
	if (LOAD_FROM(waiting, LEVEL) == 0)
		return unused;
#endif
	futex_wake();
	return unused;
}

static void *await_set(void *unused)
{
	ADD_TO(waiting, 1, LEVEL);
#ifdef FENCED
	FENCE(seq_cst);
#endif
	while (LOAD_FROM(word, relaxed) == 0)
		futex_wait(0);
	return unused;
}

MAIN(set, await_set)
#elif defined(BARE) /* that the word has changed is not synchronisation */
static void *set(void *unused)
{
	data = 1;
	STORE_TO(word, 1, release);
	futex_wake();
	return unused;
}

static void *await_set(void *unused)
{
	futex_wait(0);
	data = 2;
	return unused;
}

MAIN(set, await_set)
#else
/* 0: free, 1: held, 2: held, and perhaps somebody waits. */
static void *use(void *unused)
{
	int found = 0;

	if (!CAS(word, found, 1, LOCK, LOCK))
		while (SWAP(word, 2, LOCK) != 0)
			futex_wait(2);
	data++;
	if (SWAP(word, 0, UNLOCK) == 2)
		futex_wake();
	return unused;
}

MAIN(use, use)
#endif

/* Loops that count the turns in which they wait (adaptive spinning). dpor runs a few of the turns, and the
 * verdict is not a proof. FORM 0: begins to count anew when it has yielded. 1: never begins anew. 2: gives
 * up after many turns and sleeps on a futex. 3: gives up, which the program takes for impossible.
 * 4: two loads, of which one is rare. 5: nobody ever writes the flag. LATE: what comes behind is wrong. */
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "litmus.h"

static atomic_int flag, done, stop;

static void wait_for_flag(void)
{
#if FORM == 0
	for (;;) {
		for (int i = 0; i < 997; i++)
			if (atomic_load(&flag))
				return;
		sched_yield();
	}
#elif FORM == 1 || FORM == 5
	unsigned turns = 0;

	while (!atomic_load(&flag))
		if (++turns % 64 == 0)
			sched_yield();
#elif FORM == 2
	for (int i = 0; i < 2000; i++)
		if (atomic_load(&flag))
			return;
	atomic_store(&stop, 1);
	while (!atomic_load(&flag))
		syscall(SYS_futex, &flag, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
#elif FORM == 3
	for (int i = 0; i < 2000; i++)
		if (atomic_load(&flag))
			return;
	assert(!"gave up");
#elif FORM == 4
	for (unsigned turns = 1; !atomic_load(&flag); turns++)
		if (turns % 100 == 0 && atomic_load(&stop))
			return;
#endif
}

THREAD(waiter)
{
	wait_for_flag();
#ifdef LATE
	assert(atomic_load(&done));
#endif
	return NULL;
}

THREAD(worker)
{
#if FORM == 4
	atomic_store(&stop, 1);
#elif FORM != 5
	atomic_store(&flag, 1);
#endif
#if FORM == 2
	if (atomic_load(&stop))
		syscall(SYS_futex, &flag, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
#endif
	atomic_store(&done, 1);
	return NULL;
}

int main(void)
{
	RUN(waiter, worker);
	return 0;
}

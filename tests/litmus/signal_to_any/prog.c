/* One thread waits for a signal that all of them block. The steps of the others do not look for it, so
 * they can come before or after the wait: six classes. -DTWICE: it is sent twice, and the wait may
 * come before the second one, whatever the thread was doing when that was sent. */
#include "litmus.h"

static atomic_int x;
static sigset_t signals;

THREAD(store)
{
	atomic_store(&x, 1);
	return NULL;
}

THREAD(take)
{
	int number;

#ifdef TWICE
	atomic_store(&x, 2);
#endif
	OK(sigwait(&signals, &number));
	atomic_load(&x);
	return NULL;
}

THREAD(give)
{
#ifdef TWICE
	atomic_load(&x);
#endif
	kill(getpid(), SIGUSR1);
	return NULL;
}

int main(void)
{
	signals = block_signal(SIGUSR1);
#ifdef TWICE
	RUN(give, take, give);
#else
	RUN(give, store, take);
#endif
	return 0 * (store == NULL);
}

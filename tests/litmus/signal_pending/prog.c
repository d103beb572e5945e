/* sigpending is a look at what others send. -DTO_ALL: they send it to the process. -DTAKEN: a third
 * thread may have taken it by then. */
#include "litmus.h"

static pthread_t asker;
static sigset_t signals;

THREAD(ask)
{
	sigset_t pending;

	OK(sigpending(&pending));
#ifdef NEVER
	assert(!sigismember(&pending, SIGUSR2));
#else
	assert(!sigismember(&pending, SIGUSR1));
#endif
	return NULL;
}

THREAD(take)
{
	int number;

	OK(sigwait(&signals, &number));
	return NULL;
}

int main(void)
{
	pthread_t taker = 0;

	signals = block_signal(SIGUSR1);
	asker = start(ask);
#ifdef TAKEN
	taker = start(take);
#endif
#ifdef TO_ALL
	kill(getpid(), SIGUSR1);
#else
	pthread_kill(asker, SIGUSR1);
#endif
	if (taker)
		join(taker);
	join(asker);
	return 0 * (take == NULL);
}

/* Signals of three sorts are more than a step can look at one by one. -DTWO: two of them. */
#include "litmus.h"

static sigset_t signals;

static void handle(int number)
{
	(void)number;
}

THREAD(take)
{
	int number;

	OK(sigwait(&signals, &number));
	return NULL;
}

int main(void)
{
	pthread_t id;

	signals = block_signal(SIGUSR1);
	signal(SIGUSR2, handle);
	id = start(take);
	OK(pthread_kill(id, SIGUSR2));
	OK(pthread_kill(id, SIGUSR1));
#ifndef TWO
	OK(kill(getpid(), SIGUSR1));
#endif
	join(id);
	return 0;
}

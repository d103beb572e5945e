/* A thread that waits in ppoll for a signal that it blocks otherwise is not deadlocked, but the mask of
 * ppoll is not modelled. -DQUIET: without signals the mask does not matter. */
#include "litmus.h"

#include <poll.h>

static volatile sig_atomic_t came;

static void note(int number)
{
	(void)number;
	came = 1;
}

THREAD(waiter)
{
	sigset_t none;

	sigemptyset(&none);
#ifdef QUIET
	ppoll(NULL, 0, &(struct timespec){.tv_nsec = 1000}, &none);
#else
	while (!came)
		ppoll(NULL, 0, NULL, &none);
#endif
	return NULL;
}

int main(void)
{
	pthread_t id;

	block_signal(SIGUSR1);
	signal(SIGUSR1, note);
	id = start(waiter);
#ifndef QUIET
	OK(pthread_kill(id, SIGUSR1));
#endif
	join(id);
	return 0;
}

/* A thread waits for a signal that it does not block. The signal may come before the wait, which would end the
 * program; no step of the thread lies between its beginning and the wait. */
#include "litmus.h"

#include <signal.h>

static sigset_t set;

THREAD(wait_for_it)
{
	int number;

	OK(sigwait(&set, &number));
	assert(number == SIGUSR1);
	return NULL;
}

int main(void)
{
	pthread_t id;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
#ifdef FIXED
	OK(pthread_sigmask(SIG_BLOCK, &set, NULL));
#endif
	OK(pthread_create(&id, NULL, wait_for_it, NULL));
	OK(pthread_kill(id, SIGUSR1));
	join(id);
	return 0;
}

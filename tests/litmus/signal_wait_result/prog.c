/* sigwait writes the number of the signal: a race with a thread that reads it. */
#include "litmus.h"

static int number;

THREAD(take)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	OK(sigwait(&set, &number));
	return NULL;
}

int main(void)
{
	pthread_t id;
	int early;

	block_signal(SIGUSR1);
	id = start(take);
	OK(pthread_kill(id, SIGUSR1));
	early = number;
	join(id);
	return early > 64;
}

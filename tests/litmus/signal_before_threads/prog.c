/* A signal that is sent to the process before the first thread, and blocked, waits for any thread. */
#include "litmus.h"

static sigset_t signals;

THREAD(take)
{
	int number;

	OK(sigwait(&signals, &number));
	assert(number == SIGUSR1);
	return NULL;
}

int main(void)
{
	signals = block_signal(SIGUSR1);
	OK(kill(getpid(), SIGUSR1));
	RUN(take);
	return 0;
}

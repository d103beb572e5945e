/* Real-time signals wait in a queue, which is not modelled: the second wait is not a deadlock. */
#include "litmus.h"

static sigset_t signals;

THREAD(take)
{
	int number;

	OK(sigwait(&signals, &number));
	OK(sigwait(&signals, &number));
	return NULL;
}

int main(void)
{
	pthread_t id;

	signals = block_signal(SIGRTMIN);
	id = start(take);
	OK(pthread_kill(id, SIGRTMIN));
	OK(pthread_kill(id, SIGRTMIN));
	join(id);
	return 0;
}

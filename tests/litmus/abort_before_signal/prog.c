/* The first run fails before another thread sends the program's first signal. Once that signal is
 * known, all steps look for signals; the finding must show again all the same. */
#include "litmus.h"

static atomic_int x;
static pthread_t victim;

THREAD(fail)
{
	assert(atomic_load(&x));
	return NULL;
}

THREAD(send)
{
	atomic_store(&x, 1);
	pthread_kill(victim, SIGUSR1);
	return NULL;
}

int main(void)
{
	pthread_t sender;

	block_signal(SIGUSR1);
	victim = start(fail);
	sender = start(send);
	join(victim);
	join(sender);
	return 0;
}

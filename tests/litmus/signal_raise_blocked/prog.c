/* A signal that a thread sends to itself while it blocks it is handled when the mask lets it through,
 * before pthread_sigmask returns. */
#include "litmus.h"

static volatile sig_atomic_t handled;

static void handle(int number)
{
	(void)number;
	handled++;
}

THREAD(work)
{
	sigset_t set = block_signal(SIGUSR1);

	OK(raise(SIGUSR1));
	assert(handled == 0);
	OK(pthread_sigmask(SIG_UNBLOCK, &set, NULL));
	assert(handled == 1);
	return NULL;
}

int main(void)
{
	signal(SIGUSR1, handle);
	RUN(work);
	return 0;
}

/* SA_RESETHAND: the handler runs for the first signal only, and the second one ends the program, if it is not the same
 * signal still. -DALONE: the thread sends them to itself, once, or -DTWICE. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile int count;
static pthread_t first;

static void add(int number)
{
	count++;
}

#ifndef ALONE
static void *send(void *arg)
{
	pthread_kill(first, SIGUSR1);
	return arg;
}
#endif

int main(void)
{
	struct sigaction action = {.sa_handler = add, .sa_flags = SA_RESTART | SA_RESETHAND};

	first = pthread_self();
	sigaction(SIGUSR1, &action, NULL);
#ifdef ALONE
	raise(SIGUSR1);
	sigaction(SIGUSR1, NULL, &action);
	assert(action.sa_handler == SIG_DFL && count == 1);
#ifdef TWICE
	raise(SIGUSR1);
#endif
#else
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, send, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
#endif
	return 0;
}

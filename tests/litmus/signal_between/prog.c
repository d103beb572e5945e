/* A signal handler adds to a counter that its own thread adds to as well, in a load and a store:
 * a handler that runs between the two is lost. -DMASKED: the signal is kept out meanwhile. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile int count;
static pthread_t first;

static void add(int number)
{
	count = count + 10;
}

static void *send(void *arg)
{
	pthread_kill(first, SIGUSR1);
	return arg;
}

int main(void)
{
	struct sigaction action = {.sa_handler = add, .sa_flags = SA_RESTART};
	sigset_t set, old;
	pthread_t thread;

	first = pthread_self();
	sigaction(SIGUSR1, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_create(&thread, NULL, send, NULL);
#ifdef MASKED
	pthread_sigmask(SIG_BLOCK, &set, &old);
#endif
	count = count + 1;
#ifdef MASKED
	pthread_sigmask(SIG_SETMASK, &old, NULL);
#endif
	pthread_join(thread, NULL);
	assert(count == 11);
	return 0;
}

/* A thread that takes no step gets a signal: it may arrive before the thread has ended, and then its
 * handler runs. With MASKED the thread blocks the signal, and nothing happens. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int handled;

static void note(int number)
{
	handled = 1;
}

static void *nothing(void *arg)
{
	return arg;
}

int main(void)
{
	struct sigaction action = {.sa_handler = note};
	pthread_t thread;
	sigset_t set;

	sigaction(SIGUSR1, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
#ifdef MASKED
	pthread_sigmask(SIG_BLOCK, &set, NULL);
#endif
	pthread_create(&thread, NULL, nothing, NULL);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, NULL);
	assert(!handled);
	return 0;
}

/* A signal can reach a thread before the thread blocks it. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t handled;

static void handle(int number)
{
	(void)number;
	handled = 1;
}

static void *block(void *arg)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	assert(!handled);
	return arg;
}

int main(void)
{
	pthread_t thread;

	signal(SIGUSR1, handle);
	pthread_create(&thread, NULL, block, NULL);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, NULL);
	return 0;
}

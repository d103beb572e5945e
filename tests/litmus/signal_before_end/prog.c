/* A signal to the process, which main blocks, comes to a thread that takes no step but its last: its handler may run
 * before what the thread looks at. -DBLOCKED: the thread blocks it, too. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile int count;

static void add(int number)
{
	count++;
}

static void *look(void *arg)
{
	assert(count == 0);
	return arg;
}

int main(void)
{
	sigset_t set;
	pthread_t thread;

	signal(SIGUSR1, add);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
#ifdef BLOCKED
	pthread_sigmask(SIG_BLOCK, &set, NULL);
#endif
	pthread_create(&thread, NULL, look, NULL);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	kill(getpid(), SIGUSR1);
	pthread_join(thread, NULL);
	return 0;
}

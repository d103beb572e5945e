/* The signal of alarm() never comes, because time is virtual. A thread that waits for it is not
 * deadlocked: it would go on after a second. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t rang;

static void ring(int number)
{
	(void)number;
	rang = 1;
}

static void *nothing(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t thread;

	signal(SIGALRM, ring);
	pthread_create(&thread, NULL, nothing, NULL);
	alarm(1);
	while (!rang)
		pause();
	pthread_join(thread, NULL);
	return 0;
}

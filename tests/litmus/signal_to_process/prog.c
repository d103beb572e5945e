/* Two signals to the process can become one while the thread that takes the first is on its way. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int handled;

static void handle(int number)
{
	(void)number;
	handled++;
}

static void *send(void *arg)
{
	kill(getpid(), SIGUSR1);
	return arg;
}

int main(void)
{
	pthread_t thread;

	signal(SIGUSR1, handle);
	pthread_create(&thread, NULL, send, NULL);
	pthread_join(thread, NULL);
	return 0;
}

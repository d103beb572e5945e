/* A handler without SA_RESTART runs while its thread waits in read(), which then really returns
 * EINTR. That is not modelled, and the verdict has to say so; with -DRESTART it makes no
 * difference. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];
static pthread_t first;

static void nothing(int number)
{
}

static void *disturb(void *arg)
{
	pthread_kill(first, SIGUSR1);
	return write(ends[1], "x", 1) == 1 ? arg : NULL;
}

int main(void)
{
	struct sigaction action = {.sa_handler = nothing};
	pthread_t thread;
	char byte;

	first = pthread_self();
#ifdef RESTART
	action.sa_flags = SA_RESTART;
#endif
	sigaction(SIGUSR1, &action, NULL);
	if (pipe(ends) != 0)
		return 2;
	pthread_create(&thread, NULL, disturb, NULL);
	if (read(ends[0], &byte, 1) != 1)
		return 1;
	pthread_join(thread, NULL);
	return 0;
}

/* A thread that waits for one signal handles another one meanwhile. sigwait then goes on waiting;
 * -DINFO: sigwaitinfo returns EINTR. */
#include "litmus.h"

static sem_t handled;

static void handle(int number)
{
	(void)number;
	sem_post(&handled);
}

THREAD(wait_for_it)
{
	sigset_t set;
	int number;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
#ifdef INFO
	number = sigwaitinfo(&set, NULL);
	assert(number == SIGUSR1);
#else
	OK(sigwait(&set, &number));
	assert(number == SIGUSR1);
#endif
	return NULL;
}

int main(void)
{
	pthread_t id;

	OK(sem_init(&handled, 0, 0));
	signal(SIGUSR2, handle);
	block_signal(SIGUSR1);
	id = start(wait_for_it);
	OK(pthread_kill(id, SIGUSR2));
	OK(sem_wait(&handled));
	OK(pthread_kill(id, SIGUSR1));
	join(id);
	return 0;
}

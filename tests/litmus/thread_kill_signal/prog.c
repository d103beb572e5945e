/* A signal from thread to thread: modelled, or control is lost, but never a wrong proof. */
#include "litmus.h"

#include <signal.h>

static atomic_int caught;
static sem_t go;

static void catch_it(int number)
{
	(void)number;
	caught = 1;
}

THREAD(work)
{
	sem_wait(&go);
	assert(caught);
	return NULL;
}

int main(void)
{
	struct sigaction action = { .sa_handler = catch_it, .sa_flags = SA_RESTART };
	pthread_t id;

	sem_init(&go, 0, 0);
	sigaction(SIGUSR1, &action, NULL);
	id = start(work);
	OK(pthread_kill(id, SIGUSR1));
	while (!caught)
		sched_yield();
	sem_post(&go);
	join(id);
	return 0;
}

/* A detached thread, and a main that leaves by pthread_exit: the program waits for all. */
#include "litmus.h"

static sem_t is_detached;
static atomic_int work;

THREAD(run)
{
	sem_wait(&is_detached);
	work = 1;
	return NULL;
}

int main(void)
{
	pthread_t id;

	sem_init(&is_detached, 0, 0);
	id = start(run);
	OK(pthread_detach(id));
	sem_post(&is_detached);
	pthread_exit(NULL);
}

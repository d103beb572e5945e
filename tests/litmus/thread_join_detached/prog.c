/* Joining a thread that was detached. */
#include "litmus.h"

static sem_t go;

THREAD(work)
{
	sem_wait(&go);
	return NULL;
}

int main(void)
{
	pthread_t id;

	sem_init(&go, 0, 0);
	id = start(work);
	pthread_detach(id);
	pthread_join(id, NULL);
	sem_post(&go);
	return 0;
}

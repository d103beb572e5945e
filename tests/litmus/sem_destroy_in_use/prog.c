/* A semaphore is destroyed while somebody waits on it. */
#include "litmus.h"

static sem_t first, second;

THREAD(wait)
{
	sem_post(&first);
	sem_wait(&second);
	return NULL;
}

int main(void)
{
	pthread_t id;

	sem_init(&first, 0, 0);
	sem_init(&second, 0, 0);
	id = start(wait);
	sem_wait(&first);
#ifdef FIXED
	sem_post(&second);
	join(id);
	sem_destroy(&second);
#else
	sem_destroy(&second);
	sem_post(&second);
	join(id);
#endif
	return 0;
}

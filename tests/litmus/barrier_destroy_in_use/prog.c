/* A barrier is destroyed while somebody waits at it. */
#include "litmus.h"

static pthread_barrier_t barrier;
static sem_t destroyed;

THREAD(wait)
{
	pthread_barrier_wait(&barrier);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_barrier_init(&barrier, NULL, 2);
	sem_init(&destroyed, 0, 0);
	id = start(wait);
#ifdef FIXED
	pthread_barrier_wait(&barrier);
	join(id);
	pthread_barrier_destroy(&barrier);
#else
	pthread_barrier_destroy(&barrier);
	pthread_barrier_wait(&barrier);
	join(id);
#endif
	return 0;
}

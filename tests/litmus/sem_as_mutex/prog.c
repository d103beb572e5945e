/* A semaphore as a lock excludes only with one permit. */
#include "litmus.h"

static sem_t permits;
static int value;

THREAD(use)
{
	sem_wait(&permits);
	value++;
	sem_post(&permits);
	return NULL;
}

int main(void)
{
	sem_init(&permits, 0, PERMITS);
	RUN(use, use);
	return 0;
}

/* A barrier for three, and only two come. */
#include "litmus.h"

static pthread_barrier_t barrier;

THREAD(wait)
{
	pthread_barrier_wait(&barrier);
	return NULL;
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 3);
	RUN(wait, wait);
	return 0;
}

/* A detached thread has a block while main ends: in some runs the thread has freed the block by then,
 * in others not. That is not a leak. */
#include "litmus.h"

static atomic_int begun;

THREAD(work)
{
	int *block = malloc(sizeof(*block));

	atomic_store(&begun, 1);
	*block = atomic_load(&begun);
	free(block);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	pthread_detach(thread);
	return atomic_load(&begun) > 1;
}

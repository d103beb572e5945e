/* Freed without a word to the thread that still writes. */
#include "litmus.h"

static int *shared;

THREAD(use)
{
	*shared = 1;
	return NULL;
}

int main(void)
{
	pthread_t id;

	shared = malloc(sizeof(*shared));
	id = start(use);
#ifdef FIXED
	join(id);
	free(shared);
#else
	free(shared);
	join(id);
#endif
	return 0;
}

/* Under one lock, and still: freed by one, used by the other. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

THREAD(use)
{
	pthread_mutex_lock(&lock);
	if (shared != NULL)
		(*shared)++;
	pthread_mutex_unlock(&lock);
	return NULL;
}

THREAD(drop)
{
	pthread_mutex_lock(&lock);
	free(shared);
#ifdef FIXED
	shared = NULL;
#endif
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	shared = calloc(1, sizeof(*shared));
	RUN(use, drop);
	return 0;
}

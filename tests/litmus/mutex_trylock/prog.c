/* trylock before, during and after the other's critical section. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int got;

THREAD(hold)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

THREAD(try)
{
	int result = pthread_mutex_trylock(&lock);

	assert(result == 0 || result == EBUSY);
	got = result == 0;
	if (got)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(hold, try);
	printf("%d\n", got);
	return 0;
}

/* Both lock, but not the same lock. */
#include "litmus.h"

static pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int value;

THREAD(add)
{
	pthread_mutex_t *lock = &locks[(intptr_t)arg];

	pthread_mutex_lock(lock);
	value++;
	pthread_mutex_unlock(lock);
	return NULL;
}

int main(void)
{
	RUN(add, add);
	return 0;
}

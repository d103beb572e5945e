/* A normal mutex locked twice by one thread, if the other was first. */
#include "litmus.h"

static pthread_mutex_t lock;
static atomic_int first;

THREAD(use)
{
	pthread_mutex_lock(&lock);
	if (atomic_exchange(&first, 1)) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
#ifdef FIXED
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
#endif
	pthread_mutex_init(&lock, &attr);
	RUN(use, use);
	return 0;
}

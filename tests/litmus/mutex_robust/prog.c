/* The owner dies: EOWNERDEAD for the next, then consistent again, or not recoverable. */
#include "litmus.h"

static pthread_mutex_t lock;
static atomic_int heirs;

THREAD(die)
{
	if (pthread_mutex_lock(&lock) == EOWNERDEAD)
		assert(0);
	return NULL;
}

THREAD(inherit)
{
	int result = pthread_mutex_lock(&lock);

	if (result == ENOTRECOVERABLE)
		return NULL;
	if (result == EOWNERDEAD) {
		heirs++;
#ifndef GIVE_UP
		OK(pthread_mutex_consistent(&lock));
#endif
	}
	OK(pthread_mutex_unlock(&lock));
	return NULL;
}

int main(void)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&lock, &attr);
	RUN(die);
	RUN(inherit, inherit);
	assert(heirs == 1);
#ifdef GIVE_UP
	assert(pthread_mutex_lock(&lock) == ENOTRECOVERABLE);
#endif
	return 0;
}

/* A short timeout may pass while the other holds the lock, a long one only when idle. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int result;

THREAD(hold)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

THREAD(try)
{
#ifdef CLOCK
	result = pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, WITHIN_MS_MONOTONIC(MS));
#else
	result = pthread_mutex_timedlock(&lock, WITHIN_MS(MS));
#endif
	assert(result == 0 || result == ETIMEDOUT);
	if (result == 0)
		pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(hold, try);
	printf("%s\n", result == 0 ? "got it" : "timed out");
	return 0;
}

/* Timed read and write locks, in both clock variants, may give up. */
#include "litmus.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *hold(void *arg)
{
	pthread_rwlock_wrlock(&lock);
	pthread_rwlock_unlock(&lock);
	return arg;
}

static int leave(int result)
{
	assert(result == 0 || result == ETIMEDOUT);
	if (result == 0)
		pthread_rwlock_unlock(&lock);
	return result == 0;
}

int main(void)
{
	pthread_t id = start(hold);
	int read_got = leave(pthread_rwlock_timedrdlock(&lock, WITHIN_MS(10)));
	int write_got = leave(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC,
							 WITHIN_MS_MONOTONIC(10)));

	join(id);
	assert(leave(pthread_rwlock_timedwrlock(&lock, WITHIN_MS(10))));
	assert(leave(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC,
						WITHIN_MS_MONOTONIC(10))));
	printf("%d %d\n", read_got, write_got);
	return 0;
}

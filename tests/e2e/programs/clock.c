/* The rate of some work. Where the clock stands still meanwhile, it divides by zero: no schedule helps,
 * but that is a matter of time all the same. With LONG a timeout ends together with a sleep. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int is_done;

static void *work(void *unused)
{
#ifdef LONG
	sleep(2);
#endif
	is_done = 1;
	return unused;
}

int main(void)
{
	struct timespec begin, end;
	pthread_t thread;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	pthread_create(&thread, NULL, work, NULL);
#ifdef LONG
	sleep(2);
	assert(is_done);
	pthread_join(thread, NULL);
#else
	pthread_join(thread, NULL);
	clock_gettime(CLOCK_MONOTONIC, &end);
	assert(begin.tv_sec != end.tv_sec || begin.tv_nsec != end.tv_nsec);
#endif
	return 0;
}

/* Of two sleeps that began together the shorter ends first. */
#include "litmus.h"

#include <sys/time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct timespec began;
static int order;

static void sleep_until(long ms, int mark)
{
	struct timespec until = began;

	until.tv_nsec += ms * 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
	pthread_mutex_lock(&lock);
	order = order * 10 + mark;
	pthread_mutex_unlock(&lock);
}

THREAD(sleep_short)
{
	sleep_until(10, 1);
	return NULL;
}

int main(void)
{
	pthread_t id;

	clock_gettime(CLOCK_MONOTONIC, &began);
	id = start(sleep_short);
	join(id);
	sleep_until(20, 2);
	assert(order == 12);
	return 0;
}

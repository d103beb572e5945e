/* A loop that looks at the clock until a moment has come is a wait for a timer. */
#include "litmus.h"

static atomic_int x;

static int has_come(const struct timespec *at)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > at->tv_sec ||
	       (now.tv_sec == at->tv_sec && now.tv_nsec >= at->tv_nsec);
}

THREAD(wait_by_clock)
{
	struct timespec until = deadline_after(CLOCK_MONOTONIC, 50);

	while (!has_come(&until))
		;
	x++;
	return NULL;
}

THREAD(work)
{
	x++;
	return NULL;
}

int main(void)
{
	RUN(wait_by_clock, work);
	assert(x == 2);
	return 0;
}

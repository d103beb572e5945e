/* Time passes while one sleeps, by every call, and never goes back. */
#include "litmus.h"

static long now_ms(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

THREAD(sleep_often)
{
	struct timespec nap = { .tv_nsec = 20000000 }, until;
	long began = now_ms(CLOCK_MONOTONIC);

	OK(nanosleep(&nap, NULL));
	assert(now_ms(CLOCK_MONOTONIC) >= began + 20);
	OK(clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL));
	assert(now_ms(CLOCK_MONOTONIC) >= began + 40);
	until = deadline_after(CLOCK_MONOTONIC, 30);
	OK(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL));
	assert(now_ms(CLOCK_MONOTONIC) >= began + 70);
	usleep(1000);
	sleep(1);
	assert(now_ms(CLOCK_MONOTONIC) >= began + 1071);
	return NULL;
}

int main(void)
{
	time_t began = time(NULL);

	RUN(sleep_often);
	assert(time(NULL) >= began + 1);
	return 0;
}

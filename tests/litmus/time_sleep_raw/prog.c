/* A thread that sleeps by number of the system call sleeps in virtual time, like any other. */
#include "litmus.h"

#include <sys/syscall.h>

static atomic_int x;

THREAD(sleeper)
{
	struct timespec time = {.tv_sec = 1000};

#if WHICH == 1
	OK(syscall(SYS_nanosleep, &time, NULL));
#else
	OK(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, NULL));
#endif
	assert(atomic_load(&x) == 1);
	return NULL;
}

THREAD(writer)
{
	struct timespec before, after;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &before);
	atomic_store(&x, 1);
	clock_gettime(CLOCK_MONOTONIC, &after);
	assert(before.tv_sec == after.tv_sec);
	return NULL;
}

int main(void)
{
	RUN(sleeper, writer);
	return 0;
}

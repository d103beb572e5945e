/* clock.h: time for budgets and progress lines; never for anything that reaches a
 * schedule, a trace or a finding. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <time.h>

/* Seconds since some moment; only differences mean anything. */
static inline double clock_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Processor time of this process, its threads included. */
static inline double clock_cpu_seconds(void)
{
	struct timespec spent;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
	return (double)spent.tv_sec + (double)spent.tv_nsec / 1e9;
}

#endif

/* Requests that have no effect under control: on which processors a thread runs (WHICH 1), with which policy (2), the level of
 * concurrency (3). To make one is harmless; a program that asks besides (ASKS) would be told what is not so. */
#include "litmus.h"

#include <sched.h>

THREAD(request)
{
#if WHICH == 1
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
#elif WHICH == 2
	struct sched_param param = {.sched_priority = 1};

	pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
#else
	pthread_setconcurrency(3);
#endif
	return NULL;
}

int main(void)
{
	pthread_t thread;
	int asked = 0;

	OK(pthread_create(&thread, NULL, request, NULL));
#ifdef ASKS
#if WHICH == 1
	cpu_set_t set;

	OK(pthread_getaffinity_np(thread, sizeof(set), &set));
	asked = CPU_COUNT(&set) == 1;
#else
	asked = pthread_getconcurrency();
#endif
#endif
	OK(pthread_join(thread, NULL));
	return asked != 0;
}

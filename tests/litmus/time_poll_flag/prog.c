/* Polling with a nap between looks ends when the other is done. */
#include "litmus.h"

static atomic_int is_done;

THREAD(work)
{
	is_done = 1;
	return NULL;
}

THREAD(poll_it)
{
	struct timespec nap = { .tv_nsec = 1000000 };

	while (!is_done)
		nanosleep(&nap, NULL);
	return NULL;
}

int main(void)
{
	RUN(poll_it, work);
	return 0;
}

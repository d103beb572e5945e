/* adds.c: each thread adds to one variable. N! graphs. */
#include "threads.h"

atomic_int sum;

static void *thread_of(void *arg)
{
	(void)arg;
	atomic_fetch_add_explicit(&sum, 1, RLX);
	return NULL;
}

/* stores.c: each thread stores to one variable twice, and loads it. */
#include "threads.h"

atomic_int cell;

static void *thread_of(void *arg)
{
	atomic_store_explicit(&cell, (int)(size_t)arg + 1, RLX);
	atomic_load_explicit(&cell, RLX);
	return NULL;
}

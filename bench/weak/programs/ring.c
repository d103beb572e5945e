/* ring.c: each thread stores to its cell and loads the next one. 2^N graphs. */
#include "threads.h"

atomic_int cells[N];

static void *thread_of(void *arg)
{
	size_t i = (size_t)arg;

	atomic_store_explicit(&cells[i], 1, RLX);
	atomic_load_explicit(&cells[(i + 1) % N], RLX);
	return NULL;
}

/* cells.c: one thread stores to CELLS cells, two threads load them. 4^CELLS graphs. */
#undef N
#define N 3
#include "threads.h"

#ifndef CELLS
#define CELLS 7
#endif

atomic_int cells[CELLS];

static void *thread_of(void *arg)
{
	for (size_t i = 0; i < CELLS; i++)
		if (arg)
			atomic_load_explicit(&cells[i], RLX);
		else
			atomic_store_explicit(&cells[i], 1, RLX);
	return NULL;
}

/* seq_cst.c: seq_cst stores and loads of two variables, with one relaxed load, so that the search is
 * one of graphs. */
#include "threads.h"

atomic_int x, y, z;

static void *thread_of(void *arg)
{
	size_t i = (size_t)arg;

	atomic_store(i & 1 ? &x : &y, (int)i);
	atomic_load(i & 1 ? &y : &x);
	if (!i)
		atomic_load_explicit(&z, RLX);
	return NULL;
}

/* One thread stores x, N threads load it: 2^N executions. */
#include "threads.h"

static atomic_int x;

static void *store(void *arg)
{
	(void)arg;
	x = 1;
	return NULL;
}

static void *load(void *arg)
{
	(void)arg;
	return (void *)(intptr_t)x;
}

int main(int argc, char **argv)
{
	static struct threads threads;

	threads_start(&threads, store, 0);
	threads_start_many(&threads, load, arg_number(argc, argv, 1, 3));
	threads_join(&threads);
	return 0;
}

/* N threads store x, one loads it: (N+1)! executions. */
#include "threads.h"

static atomic_int x;

static void *store(void *arg)
{
	x = thread_number(arg) + 1;
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

	threads_start_many(&threads, store, arg_number(argc, argv, 1, 3));
	threads_start(&threads, load, 0);
	threads_join(&threads);
	return 0;
}

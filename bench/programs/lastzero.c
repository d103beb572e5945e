/*
 * a[0..N] is zero; writer j does a[j] = a[j-1] + 1; a reader goes down from a[N] to the
 * first zero. 64 executions for N=5, 704 for 8, 3,328 for 10, 15,360 for 12.
 */
#include "threads.h"

static atomic_int a[MAX_THREADS];

static void *write_next(void *arg)
{
	int j = thread_number(arg) + 1;

	a[j] = a[j - 1] + 1;
	return NULL;
}

static void *find_zero(void *arg)
{
	int i = thread_number(arg);

	while (a[i] != 0)
		i--;
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;
	int last = arg_number(argc, argv, 1, 2);

	threads_start(&threads, find_zero, last);
	threads_start_many(&threads, write_next, last);
	threads_join(&threads);
	return 0;
}

/* Arguments: racing steps of each thread, threads, and steps of each thread before them that are in no
 * race. So runs are as long as one likes, and there are branches all along them or only at the end. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS_MAX = 64 };

static atomic_int counter, own[THREADS_MAX];
static int steps, before;

static void *count(void *arg)
{
	for (int i = 0; i < before; i++)
		atomic_fetch_add((atomic_int *)arg, 1);
	for (int i = 0; i < steps; i++)
		atomic_fetch_add(&counter, 1);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS_MAX];
	int len = argc > 2 ? atoi(argv[2]) : 2;

	steps = argc > 1 ? atoi(argv[1]) : 1;
	before = argc > 3 ? atoi(argv[3]) : 0;
	for (int i = 0; i < len && i < THREADS_MAX; i++)
		pthread_create(&threads[i], NULL, count, &own[i]);
	for (int i = 0; i < len && i < THREADS_MAX; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

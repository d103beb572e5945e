/* An atomic counter that argv[1] threads increment argv[2] times each: the cost of a step should
 * not grow with the number of threads (steps/cpu-s in the table of bench/run). */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS_MAX = 1000 };

static _Atomic int counter;
static int turns;

static void *count(void *arg)
{
	(void)arg;
	for (int i = 0; i < turns; i++)
		atomic_fetch_add(&counter, 1);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS_MAX];
	int len = argc > 1 ? atoi(argv[1]) : 8;

	turns = argc > 2 ? atoi(argv[2]) : 100;
	if (len > THREADS_MAX)
		len = THREADS_MAX;
	for (int i = 0; i < len; i++)
		pthread_create(&threads[i], NULL, count, NULL);
	for (int i = 0; i < len; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

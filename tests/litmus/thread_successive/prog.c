/* More threads over one run than there is room for at first, ten at a time. BROKEN: the last ones
 * do not wait for each other. Each allocates, because its part of the heap is smaller then. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { AT_ONCE = 10 };

static atomic_int count;

static void *add(void *arg)
{
	int *one = malloc(sizeof(*one));

	*one = 1;
#ifdef BROKEN
	atomic_store(&count, atomic_load(&count) + *one);
#else
	atomic_fetch_add(&count, *one);
#endif
	free(one);
	return arg;
}

int main(void)
{
	pthread_t threads[AT_ONCE];

	for (int round = 0; round < THREADS / AT_ONCE; round++) {
		for (int i = 0; i < AT_ONCE; i++)
			assert(pthread_create(&threads[i], NULL, add, NULL) == 0);
		for (int i = 0; i < AT_ONCE; i++)
			pthread_join(threads[i], NULL);
	}
	assert(atomic_load(&count) == THREADS);
	return 0;
}

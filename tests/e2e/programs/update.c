/* A lost update of an atomic counter, and three variants of the program: PADDED has other addresses
 * and lines, FIXED takes other steps, LENIENT takes the same steps and is satisfied with less. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#ifdef PADDED



static int padding[1000];

int fill(int n)
{
	for (int i = 0; i < 1000; i++)
		padding[i] = n * i;
	return padding[n];
}
#endif

static atomic_int counter;

static void *add(void *unused)
{
#ifdef FIXED
	atomic_fetch_add(&counter, 1);
#else
	int seen = atomic_load(&counter);

	atomic_store(&counter, seen + 1);
#endif
	return unused;
}

int main(void)
{
	pthread_t threads[2];

	printf("two threads count\n");
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
#ifdef LENIENT
	assert(counter >= 1);
#else
	assert(counter == 2);
#endif
	return 0;
}

/* A lost update, which only the status of the program and its last line tell. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int count;

static void *add(void *arg)
{
	atomic_store(&count, atomic_load(&count) + 1);
	return arg;
}

int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (count == 2)
		return 0;
	fprintf(stderr, "lost: %d\n", 2 - count);
	return 1;
}

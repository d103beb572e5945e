/* A consumer waits for an index and keeps a copy of it in plain memory, as bounded queues do:
 * each turn of its loop stores the value that is there already. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int written;
static int copy, item;

static void *produce(void *arg)
{
	item = 42;
	atomic_store(&written, 1);
	return arg;
}

int main(void)
{
	volatile int *cached = &copy;
	pthread_t thread;

	pthread_create(&thread, NULL, produce, NULL);
	while (!*cached)
		*cached = atomic_load(&written);
	assert(item == 42);
	pthread_join(thread, NULL);
	return 0;
}

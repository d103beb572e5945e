/* A thousand threads at once, more than the room that a program is started with. BROKEN: the last one
 * expects all others to have been there. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;
static pthread_t threads[THREADS];

static void *add(void *arg)
{
	atomic_fetch_add(&count, 1);
	return arg;
}

static void *look(void *arg)
{
	assert(atomic_load(&count) == THREADS - 1);
	return arg;
}

int main(void)
{
	for (int i = 0; i < THREADS - 1; i++)
		assert(pthread_create(&threads[i], NULL, add, NULL) == 0);
#ifndef BROKEN
	for (int i = 0; i < THREADS - 1; i++)
		pthread_join(threads[i], NULL);
#endif
	assert(pthread_create(&threads[THREADS - 1], NULL, look, NULL) == 0);
	pthread_join(threads[THREADS - 1], NULL);
#ifdef BROKEN
	for (int i = 0; i < THREADS - 1; i++)
		pthread_join(threads[i], NULL);
#endif
	return 0;
}

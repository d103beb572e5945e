/* A block is lost in some orders: the detector of leaks compares runs with each other. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *slot;
static int steps;

static void *work(void *arg)
{
	void *block = malloc(16), *old;

	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		steps++;
		pthread_mutex_unlock(&lock);
	}
	pthread_mutex_lock(&lock);
	old = slot;
	slot = block;
	if (steps != 5)
		free(old);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	free(slot);
	return 0;
}

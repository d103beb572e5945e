/* One place for an item, and nobody looks whether it is free. Each give is followed by a signal, of which
 * none is lost: the taker looks after both, and waits for the item that was overwritten. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int has_item, item;

static void give(int value)
{
	pthread_mutex_lock(&mutex);
	item = value;
	has_item = 1;
	pthread_mutex_unlock(&mutex);
	pthread_cond_signal(&ready);
}

static int take(void)
{
	int taken;

	pthread_mutex_lock(&mutex);
	while (!has_item)
		pthread_cond_wait(&ready, &mutex);
	has_item = 0;
	taken = item;
	pthread_mutex_unlock(&mutex);
	return taken;
}

static void *source(void *arg)
{
	give(1);
	give(2);
	return arg;
}

static void *sink(void *arg)
{
	take();
	take();
	return arg;
}

int main(void)
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, source, NULL);
	pthread_create(&threads[1], NULL, sink, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/*
 * A producer and a consumer, one slot, two condition variables, N items.
 * 8, 32, 128, 2,048 executions for N = 2, 3, 4, 6.
 */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled;
static pthread_cond_t emptied;
static int slot;
static int is_full;
static int items;

static void *produce(void *arg)
{
	(void)arg;
	for (int n = 1; n <= items; n++) {
		pthread_mutex_lock(&lock);
		while (is_full)
			pthread_cond_wait(&emptied, &lock);
		slot = n;
		is_full = 1;
		pthread_cond_signal(&filled);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void *consume(void *arg)
{
	(void)arg;
	for (int n = 1; n <= items; n++) {
		pthread_mutex_lock(&lock);
		while (!is_full)
			pthread_cond_wait(&filled, &lock);
		assert(slot == n);
		is_full = 0;
		pthread_cond_signal(&emptied);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;

	items = arg_number(argc, argv, 1, 2);
	pthread_cond_init(&filled, NULL); /* Nidhugg asks for the calls */
	pthread_cond_init(&emptied, NULL);
	threads_start(&threads, produce, 0);
	threads_start(&threads, consume, 0);
	threads_join(&threads);
	return 0;
}

/* mutex.c: each thread takes a mutex once, beside a relaxed addition. */
#include "threads.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int sum;
int data;

static void *thread_of(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	data++;
	atomic_fetch_add_explicit(&sum, 1, RLX);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

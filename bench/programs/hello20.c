/*
 * Three threads and about twenty visible steps with a mutex and atomics: the program on
 * which the cost of one execution is measured.
 */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static atomic_int started;
static atomic_int done;

static void *work(void *arg)
{
	(void)arg;
	atomic_fetch_add(&started, 1);
	pthread_mutex_lock(&lock);
	counter++;
	pthread_mutex_unlock(&lock);
	atomic_fetch_add(&done, 1);
	return NULL;
}

int main(void)
{
	static struct threads threads;

	threads_start_many(&threads, work, 3);
	threads_join(&threads);
	assert(started == 3 && done == 3 && counter == 3);
	return 0;
}

/*
 * A started thread uses the handle that its creator stores only after having started it:
 * too early, it is not there. -DFIXED: the thread waits for it.
 */
#include "threads.h"

struct handle {
	int priority;
};

static struct handle the_handle;
static struct handle *_Atomic handle;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_stored = PTHREAD_COND_INITIALIZER;

static void wait_for_handle(void)
{
	pthread_mutex_lock(&lock);
	while (handle == NULL)
		pthread_cond_wait(&is_stored, &lock);
	pthread_mutex_unlock(&lock);
}

static void *use_handle(void *arg)
{
	(void)arg;
#ifdef FIXED
	wait_for_handle();
#else
	(void)wait_for_handle;
#endif
	handle->priority = 1;
	do_chores();
	return NULL;
}

int main(void)
{
	static struct threads threads;

	threads_start(&threads, use_handle, 0);
	pthread_mutex_lock(&lock);
	handle = &the_handle;
	pthread_cond_signal(&is_stored);
	pthread_mutex_unlock(&lock);
	do_chores();
	threads_join(&threads);
	assert(the_handle.priority == 1);
	return 0;
}

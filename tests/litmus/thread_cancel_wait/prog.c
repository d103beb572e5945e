/* A thread cancelled in cond_wait owns the mutex again; without a clean-up it keeps it. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void unlock(void *mutex)
{
	pthread_mutex_unlock(mutex);
}

THREAD(wait_forever)
{
	pthread_mutex_lock(&lock);
#ifdef FIXED
	pthread_cleanup_push(unlock, &lock);
	for (;;)
		pthread_cond_wait(&never, &lock);
	pthread_cleanup_pop(1);
#else
	(void)unlock;
	for (;;)
		pthread_cond_wait(&never, &lock);
#endif
	return NULL;
}

int main(void)
{
	pthread_t id = start(wait_forever);

	OK(pthread_cancel(id));
	assert(join(id) == PTHREAD_CANCELED);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return 0;
}

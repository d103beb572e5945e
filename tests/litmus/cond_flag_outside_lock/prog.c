/* The flag is atomic, but set and signalled without the lock: between test and wait. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static atomic_int is_ready;

THREAD(wait)
{
	pthread_mutex_lock(&lock);
	while (!is_ready)
		pthread_cond_wait(&cond, &lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

THREAD(wake)
{
#ifdef FIXED
	pthread_mutex_lock(&lock);
#endif
	is_ready = 1;
	pthread_cond_signal(&cond);
#ifdef FIXED
	pthread_mutex_unlock(&lock);
#endif
	return NULL;
}

int main(void)
{
	RUN(wait, wake);
	return 0;
}

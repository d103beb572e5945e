/* A condition is destroyed while somebody waits on it. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int is_ready, is_waiting;

THREAD(wait)
{
	pthread_mutex_lock(&lock);
	is_waiting = 1;
	while (!is_ready)
		pthread_cond_wait(&cond, &lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t id = start(wait);

	pthread_mutex_lock(&lock);
	is_ready = 1;
#ifdef FIXED
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&lock);
	join(id);
	pthread_cond_destroy(&cond);
#else
	if (is_waiting)
		pthread_cond_destroy(&cond);
	pthread_mutex_unlock(&lock);
	join(id);
#endif
	return 0;
}

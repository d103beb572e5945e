/* A signal that comes before the wait wakes nobody. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int is_ready;

THREAD(wait)
{
	pthread_mutex_lock(&lock);
#ifdef FIXED
	while (!is_ready)
#endif
		pthread_cond_wait(&cond, &lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

THREAD(wake)
{
	pthread_mutex_lock(&lock);
	is_ready = 1;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(wait, wake);
	return 0;
}

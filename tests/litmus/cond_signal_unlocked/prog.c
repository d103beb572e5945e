/* Signalling after unlocking is allowed, and no misuse. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int is_ready;

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
	pthread_mutex_lock(&lock);
	is_ready = 1;
	pthread_mutex_unlock(&lock);
	pthread_cond_signal(&cond);
	return NULL;
}

int main(void)
{
	RUN(wait, wake);
	return 0;
}

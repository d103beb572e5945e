/* Waiting for an event while holding a second lock that who brings it needs. */
#include "litmus.h"

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int is_ready;

THREAD(wait)
{
#ifndef FIXED
	pthread_mutex_lock(&outer);
#endif
	pthread_mutex_lock(&inner);
	while (!is_ready)
		pthread_cond_wait(&cond, &inner);
	pthread_mutex_unlock(&inner);
#ifndef FIXED
	pthread_mutex_unlock(&outer);
#endif
	return NULL;
}

THREAD(wake)
{
	pthread_mutex_lock(&outer);
	pthread_mutex_lock(&inner);
	is_ready = 1;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&inner);
	pthread_mutex_unlock(&outer);
	return NULL;
}

int main(void)
{
	RUN(wait, wake);
	return 0;
}

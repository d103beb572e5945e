/* Producers and consumers wait on one condition; a signal may go to the wrong kind. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int is_full;

#ifdef FIXED
#define WAKE pthread_cond_broadcast
#else
#define WAKE pthread_cond_signal
#endif

THREAD(produce)
{
	pthread_mutex_lock(&lock);
	while (is_full)
		pthread_cond_wait(&cond, &lock);
	is_full = 1;
	WAKE(&cond);
	pthread_mutex_unlock(&lock);
	return NULL;
}

THREAD(consume)
{
	pthread_mutex_lock(&lock);
	while (!is_full)
		pthread_cond_wait(&cond, &lock);
	is_full = 0;
	WAKE(&cond);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(consume, consume, produce, produce);
	return 0;
}

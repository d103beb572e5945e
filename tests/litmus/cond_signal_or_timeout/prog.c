/* One waits for ever, one for a while, and there is one signal: if the second takes it, the first
 * waits for ever. The timer of the second must not hide that. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int is_ready;

THREAD(wait_for_ever)
{
	pthread_mutex_lock(&lock);
	while (!is_ready)
		pthread_cond_wait(&cond, &lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

THREAD(wait_a_while)
{
	pthread_mutex_lock(&lock);
	if (!is_ready)
		pthread_cond_timedwait(&cond, &lock, WITHIN_MS(10));
	pthread_mutex_unlock(&lock);
	return NULL;
}

THREAD(wake)
{
	pthread_mutex_lock(&lock);
	is_ready = 1;
#ifdef ALL
	pthread_cond_broadcast(&cond);
#else
	pthread_cond_signal(&cond);
#endif
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(wait_for_ever, wait_a_while, wake);
	return 0;
}

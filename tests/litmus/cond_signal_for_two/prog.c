/* One signal for two waiters; it should have been a broadcast. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int is_open;

THREAD(pass)
{
	pthread_mutex_lock(&lock);
	while (!is_open)
		pthread_cond_wait(&cond, &lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

THREAD(open_gate)
{
	pthread_mutex_lock(&lock);
	is_open = 1;
#ifdef FIXED
	pthread_cond_broadcast(&cond);
#else
	pthread_cond_signal(&cond);
#endif
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(pass, pass, open_gate);
	return 0;
}

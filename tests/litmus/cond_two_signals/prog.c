/* Two signals in one critical section: the second must not hide what the first needed. */
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
	pthread_cond_signal(&cond);
	pthread_cond_signal(&cond);
#ifdef DESTROY /* whoever has a signal is blocked no more */
	pthread_cond_destroy(&cond);
#endif
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(pass, pass, open_gate);
	return 0;
}

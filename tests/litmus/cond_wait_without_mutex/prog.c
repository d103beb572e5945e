/* Waiting with a mutex one does not hold. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

THREAD(wait)
{
	pthread_cond_wait(&cond, &lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

THREAD(wake)
{
	pthread_cond_signal(&cond);
	return NULL;
}

int main(void)
{
	RUN(wait, wake);
	return 0;
}

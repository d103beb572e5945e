/* `if` in place of `while`: wrong only if waits may end by themselves. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int is_ready;

#ifdef FIXED
#define UNLESS while
#else
#define UNLESS if
#endif

THREAD(wait)
{
	pthread_mutex_lock(&lock);
	UNLESS (!is_ready)
		pthread_cond_wait(&cond, &lock);
	assert(is_ready);
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

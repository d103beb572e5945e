/* A thread that has locked a recursive mutex twice waits with it: the mutex stays locked, so who wants it waits for the
 * thread, and not for its wake-up. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static atomic_int count;

THREAD(wait_nested)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_lock(&lock);
	pthread_cond_wait(&cond, &lock);
	count++;
	pthread_cond_wait(&cond, &lock);
	pthread_mutex_unlock(&lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

THREAD(want)
{
	pthread_mutex_lock(&lock);
	count++;
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
	RUN(wait_nested, want, wake);
	return 0;
}

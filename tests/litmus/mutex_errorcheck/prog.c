/* An error return that POSIX defines is not a misuse. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static atomic_int x;

THREAD(use)
{
	OK(pthread_mutex_lock(&lock));
	assert(pthread_mutex_lock(&lock) == EDEADLK);
	x++;
	OK(pthread_mutex_unlock(&lock));
	return NULL;
}

THREAD(intrude)
{
	assert(pthread_mutex_unlock(&lock) == EPERM);
	return NULL;
}

int main(void)
{
	RUN(use, intrude);
	return 0;
}

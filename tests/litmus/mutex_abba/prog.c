/* Two locks in two orders. */
#include "litmus.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

THREAD(ab)
{
	take(&a, &b);
	return NULL;
}

THREAD(ba)
{
#ifdef FIXED
	take(&a, &b);
#else
	take(&b, &a);
#endif
	return NULL;
}

int main(void)
{
	RUN(ab, ba);
	return 0;
}

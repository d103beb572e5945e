/* Two orders, but under a gate lock: no deadlock, and no false alarm. */
#include "litmus.h"

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(&gate);
	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
	pthread_mutex_unlock(&gate);
}

THREAD(ab)
{
	take(&a, &b);
	return NULL;
}

THREAD(ba)
{
	take(&b, &a);
	return NULL;
}

int main(void)
{
	RUN(ab, ba);
	return 0;
}

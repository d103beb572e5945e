/* Two locks in two orders, but one side gives up after a while: no deadlock. */
#include "litmus.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

THREAD(ab)
{
	pthread_mutex_lock(&a);
	if (pthread_mutex_timedlock(&b, WITHIN_MS(5000)) == 0)
		pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return NULL;
}

THREAD(ba)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return NULL;
}

int main(void)
{
	RUN(ab, ba);
	return 0;
}

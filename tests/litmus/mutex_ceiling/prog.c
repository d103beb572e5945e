/* A mutex of PTHREAD_PRIO_PROTECT may refuse a thread by its priority. That is not modelled and named; it
 * is not a deadlock. */
#include "litmus.h"

static pthread_mutex_t mutex;

THREAD(work)
{
	if (pthread_mutex_lock(&mutex) == 0)
		OK(pthread_mutex_unlock(&mutex));
	return NULL;
}

int main(void)
{
	pthread_mutexattr_t attr;

	OK(pthread_mutexattr_init(&attr));
	OK(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT));
	OK(pthread_mutexattr_setprioceiling(&attr, 10));
	OK(pthread_mutex_init(&mutex, &attr));
	RUN(work, work);
	return 0;
}

/* A short sleep beside the first steps of a thread that then waits with a shorter time limit: the
 * sleeper can be first only if its timer fires before the time limit begins. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

THREAD(limited)
{
	x = 1;
	if (pthread_mutex_timedlock(&lock, WITHIN_MS(1)) == 0)
		pthread_mutex_unlock(&lock);
	return NULL;
}

THREAD(sleeper)
{
	usleep(10000);
	printf("%d\n", atomic_exchange(&x, 2));
	return NULL;
}

int main(void)
{
	RUN(limited, sleeper);
	return 0;
}

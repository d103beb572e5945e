/* The classic: a counter with and without its lock. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

THREAD(count)
{
#ifdef FIXED
	pthread_mutex_lock(&lock);
	counter++;
	pthread_mutex_unlock(&lock);
#else
	(void)lock;
	counter++;
#endif
	return NULL;
}

int main(void)
{
	RUN(count, count);
	return 0;
}

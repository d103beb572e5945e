/* The result of trylock is ignored: the other's lock gets unlocked. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

THREAD(hold)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

THREAD(try)
{
#ifdef FIXED
	if (pthread_mutex_trylock(&lock) != 0)
		return NULL;
#else
	pthread_mutex_trylock(&lock);
#endif
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(hold, try);
	return 0;
}

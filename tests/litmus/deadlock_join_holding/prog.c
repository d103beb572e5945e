/* Main joins a thread while it holds the lock that the thread needs to end. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

THREAD(work)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t id = start(work);

	pthread_mutex_lock(&lock);
#ifdef FIXED
	pthread_mutex_unlock(&lock);
	join(id);
#else
	join(id);
	pthread_mutex_unlock(&lock);
#endif
	return 0;
}

/* A mutex is destroyed before a late thread comes to lock it. */
#include "litmus.h"

static pthread_mutex_t lock;

THREAD(use)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_mutex_init(&lock, NULL);
	id = start(use);
#ifdef FIXED
	join(id);
	pthread_mutex_destroy(&lock);
#else
	pthread_mutex_destroy(&lock);
	join(id);
#endif
	return 0;
}

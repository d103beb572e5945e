/* Main destroys a mutex that a thread may hold. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t started;

THREAD(use)
{
	pthread_mutex_lock(&lock);
	sem_post(&started);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t id;

	sem_init(&started, 0, 0);
	id = start(use);
	sem_wait(&started);
#ifdef FIXED
	join(id);
	pthread_mutex_destroy(&lock);
#else
	pthread_mutex_destroy(&lock);
	join(id);
#endif
	return 0;
}

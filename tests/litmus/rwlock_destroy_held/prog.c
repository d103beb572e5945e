/* Destroyed while a reader is still inside. */
#include "litmus.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t inside;

THREAD(read_it)
{
	pthread_rwlock_rdlock(&lock);
	sem_post(&inside);
	pthread_rwlock_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t id;

	sem_init(&inside, 0, 0);
	id = start(read_it);
	sem_wait(&inside);
#ifdef FIXED
	join(id);
	pthread_rwlock_destroy(&lock);
#else
	pthread_rwlock_destroy(&lock);
	join(id);
#endif
	return 0;
}

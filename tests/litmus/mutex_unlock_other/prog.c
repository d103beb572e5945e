/* A lock handed from thread to thread: a mutex must be unlocked by who locked it. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready, done;

THREAD(take)
{
	pthread_mutex_lock(&lock);
#ifdef FIXED
	pthread_mutex_unlock(&lock);
#endif
	sem_post(&ready);
	sem_wait(&done);
	return NULL;
}

THREAD(give)
{
	sem_wait(&ready);
#ifndef FIXED
	pthread_mutex_unlock(&lock);
#endif
	sem_post(&done);
	return NULL;
}

int main(void)
{
	sem_init(&ready, 0, 0);
	sem_init(&done, 0, 0);
	RUN(take, give);
	return 0;
}

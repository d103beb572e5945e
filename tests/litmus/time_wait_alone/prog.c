/* Waiting with a limit before there is any other thread: the limit is the only way on. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sem;

THREAD(idle)
{
	return NULL;
}

int main(void)
{
	time_t begun = time(NULL);

	sem_init(&sem, 0, 0);
	pthread_mutex_lock(&lock);
	assert(pthread_cond_timedwait(&cond, &lock, WITHIN_MS(5000)) == ETIMEDOUT);
	assert(pthread_mutex_timedlock(&lock, WITHIN_MS(10)) == ETIMEDOUT);
	pthread_mutex_unlock(&lock);
	assert(sem_timedwait(&sem, WITHIN_MS(5000)) == -1 && errno == ETIMEDOUT);
	assert(time(NULL) >= begun + 10);
#ifdef STUCK
	sem_wait(&sem);
#endif
	sem_destroy(&sem);
	pthread_cond_destroy(&cond);
	pthread_mutex_destroy(&lock);
	RUN(idle);
	return 0;
}

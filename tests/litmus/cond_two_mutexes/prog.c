/* Two threads wait on one condition with different mutexes at the same time. */
#include "litmus.h"

static pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static atomic_int is_open;

THREAD(pass)
{
	pthread_mutex_t *lock = &locks[(intptr_t)arg];

	pthread_mutex_lock(lock);
	while (!is_open)
		pthread_cond_wait(&cond, lock);
	pthread_mutex_unlock(lock);
	return NULL;
}

THREAD(open_gate)
{
	pthread_mutex_lock(&locks[0]);
	pthread_mutex_lock(&locks[1]);
	is_open = 1;
	pthread_cond_broadcast(&cond);
	pthread_mutex_unlock(&locks[1]);
	pthread_mutex_unlock(&locks[0]);
	return NULL;
}

int main(void)
{
	RUN(pass, pass, open_gate);
	return 0;
}

/* One signal for two who wait, and the one who would pass it on may not be the one who gets
 * it. His own signal later, to the other, must not hide that. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t ready;

static void wait_once(void)
{
	pthread_mutex_lock(&lock);
	sem_post(&ready);
	pthread_cond_wait(&cond, &lock);
	pthread_mutex_unlock(&lock);
}

THREAD(pass_on)
{
	wait_once();
	pthread_mutex_lock(&lock);
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&lock);
	return NULL;
}

THREAD(receive)
{
	wait_once();
#ifdef FIXED
	pthread_cond_signal(&cond);
#endif
	return NULL;
}

THREAD(begin)
{
	sem_wait(&ready);
	sem_wait(&ready);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	pthread_cond_signal(&cond);
	return NULL;
}

int main(void)
{
	sem_init(&ready, 0, 0);
	RUN(pass_on, receive, begin);
	return 0;
}

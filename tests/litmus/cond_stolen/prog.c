/* `if`, two consumers: one who never waited takes what the woken one was woken for. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int items;

#ifdef FIXED
#define UNLESS while
#else
#define UNLESS if
#endif

THREAD(consume)
{
	pthread_mutex_lock(&lock);
	UNLESS (items == 0)
		pthread_cond_wait(&cond, &lock);
	items--;
	assert(items >= 0);
	pthread_mutex_unlock(&lock);
	return NULL;
}

THREAD(produce)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		items++;
		pthread_cond_signal(&cond);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	RUN(consume, consume, produce);
	return 0;
}

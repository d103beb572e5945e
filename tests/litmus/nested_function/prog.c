/* A function inside another one, whose address another thread is given: gcc puts code on the stack for it. */
#include "litmus.h"

static pthread_barrier_t barrier;
static int (*volatile step)(void);
#ifdef FIXED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif

THREAD(owner)
{
	volatile int count = 0;

	int next(void)
	{
		int now;

#ifdef FIXED
		pthread_mutex_lock(&lock);
#endif
		now = count + 1;
		count = now;
#ifdef FIXED
		pthread_mutex_unlock(&lock);
#endif
		return now;
	}

	step = next;
	pthread_barrier_wait(&barrier);
	next();
	pthread_barrier_wait(&barrier);
	assert(count == 2);
	return NULL;
}

THREAD(guest)
{
	pthread_barrier_wait(&barrier);
	step();
	pthread_barrier_wait(&barrier);
	return NULL;
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	RUN(owner, guest);
	return 0;
}

/* Two bugs in one program; none hides the other, whichever run comes first. */
#include "litmus.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

THREAD(ab)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	x = 1;
	return NULL;
}

THREAD(ba)
{
	int seen = x;

	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	assert(!(seen == 0 && x == 1));
	return NULL;
}

int main(void)
{
	RUN(ab, ba);
	return 0;
}

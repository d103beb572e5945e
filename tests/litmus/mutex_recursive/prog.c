/* Recursive: counted, and EPERM for who does not own it. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int value;

THREAD(use)
{
	OK(pthread_mutex_lock(&lock));
	OK(pthread_mutex_trylock(&lock));
	value++;
	OK(pthread_mutex_unlock(&lock));
	value++;
	OK(pthread_mutex_unlock(&lock));
	assert(pthread_mutex_unlock(&lock) == EPERM);
	return NULL;
}

int main(void)
{
	RUN(use, use);
	assert(value == 4);
	return 0;
}

/* flockfile is a lock like any other, and takes part in deadlocks. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

THREAD(file_first)
{
#ifdef FIXED
	pthread_mutex_lock(&lock);
	flockfile(stdout);
#else
	flockfile(stdout);
	pthread_mutex_lock(&lock);
#endif
	putchar_unlocked('a');
	pthread_mutex_unlock(&lock);
	funlockfile(stdout);
	return NULL;
}

THREAD(mutex_first)
{
	pthread_mutex_lock(&lock);
	puts("b");
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(file_first, mutex_first);
	return 0;
}

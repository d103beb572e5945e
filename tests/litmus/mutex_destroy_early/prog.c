/* A misuse before the first thread exists is part of every run. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

THREAD(idle)
{
	return NULL;
}

int main(void)
{
	pthread_mutex_lock(&lock);
#ifdef FIXED
	pthread_mutex_unlock(&lock);
#endif
	pthread_mutex_destroy(&lock);
#ifndef ALONE
	RUN(idle);
#endif
	return 0;
}

/* Joining oneself gives EDEADLK, which is an answer and no misuse. */
#include "litmus.h"

THREAD(work)
{
	assert(pthread_join(pthread_self(), NULL) == EDEADLK);
	return NULL;
}

int main(void)
{
	RUN(work);
	return 0;
}

/* Each takes one lock, fails to get the other, gives the first back and tries again: if they
 * keep step, for ever. Counting the tries makes no turn like the one before.
 * UNCOUNTED: all turns are alike; then it is proved that they end if the threads fall out of step. */
#include "litmus.h"

static pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };

THREAD(take_both)
{
	int me = (int)(intptr_t)arg;
	uintptr_t tries;

#ifndef BUG
	me = 0;
#endif
#ifdef UNCOUNTED
	for (tries = 0;;) {
#else
	for (tries = 0;; tries++) {
#endif
		pthread_mutex_lock(&locks[me]);
		if (pthread_mutex_trylock(&locks[1 - me]) == 0)
			break;
		pthread_mutex_unlock(&locks[me]);
	}
	pthread_mutex_unlock(&locks[0]);
	pthread_mutex_unlock(&locks[1]);
	return (void *)tries;
}

int main(void)
{
	RUN(take_both, take_both);
	return 0;
}

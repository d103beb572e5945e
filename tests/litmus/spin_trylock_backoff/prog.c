/* Each takes one lock, fails to get the other, gives the first back and tries again: if they
 * keep step, for ever. Counting the tries makes no turn like the one before.
 * UNCOUNTED: all turns are alike; then it is proved that they end if the threads fall out of step.
 * KEPT: a barrier makes them keep step, so that neither can ever have both.
 * HELD: main has one lock all the time, and both threads try for it only. */
#include "litmus.h"

static pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };

#ifdef KEPT
static pthread_barrier_t both;
#define KEEP_STEP() pthread_barrier_wait(&both)
#else
#define KEEP_STEP() (void)0
#endif

#ifdef HELD
THREAD(take_both)
{
	uintptr_t tries;

	for (tries = 0; pthread_mutex_trylock(&locks[0]); tries++)
		;
	return (void *)tries;
}
#else
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
		KEEP_STEP();
		if (pthread_mutex_trylock(&locks[1 - me]) == 0)
			break;
		KEEP_STEP();
		pthread_mutex_unlock(&locks[me]);
	}
	pthread_mutex_unlock(&locks[0]);
	pthread_mutex_unlock(&locks[1]);
	return (void *)tries;
}
#endif

int main(void)
{
#ifdef KEPT
	OK(pthread_barrier_init(&both, NULL, 2));
#endif
#ifdef HELD
	pthread_mutex_lock(&locks[0]);
#endif
	RUN(take_both, take_both);
	return 0;
}

/* Waiting on a condition together with relaxed atomics. The mutex hands the data over, the condition
 * orders nothing.
 *
 * tso: proved
 * rc11: proved
 * rc11 -DALL: proved
 * rc11 -DFLAG: race
 * rc11 -DUNLOCKED: deadlock
 * rc11 -DBARE: deadlock
 * rc11 by random: none
 */
#include "weak.h"

atomic_int ready, done;
int data;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *give(void *unused)
{
#if defined(UNLOCKED) /* the waiter may have looked, and not wait yet */
	STORE_TO(ready, 1, relaxed);
	pthread_cond_signal(&condition);
	return unused;
#elif defined(FLAG) /* the waiter can see the flag without the mutex */
	STORE_TO(ready, 1, relaxed);
#endif
	pthread_mutex_lock(&mutex);
	data = 1;
	STORE_TO(ready, 1, relaxed);
#ifdef ALL
	pthread_cond_broadcast(&condition);
#else
	pthread_cond_signal(&condition);
#endif
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *take(void *unused)
{
#ifdef FLAG
	if (LOAD_FROM(ready, relaxed))
		return data ? unused : NULL;
#endif
	pthread_mutex_lock(&mutex);
#ifdef BARE /* does not ask before it waits */
	pthread_cond_wait(&condition, &mutex);
#else
	while (!LOAD_FROM(ready, relaxed))
		pthread_cond_wait(&condition, &mutex);
#endif
#ifndef UNLOCKED
	assert(data == 1);
#endif
	ADD_TO(done, 1, relaxed);
	pthread_mutex_unlock(&mutex);
	return unused;
}

#ifdef ALL
MAIN(take, give, take)
#else
MAIN(give, take)
#endif

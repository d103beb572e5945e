/* A failed trylock orders nothing, and may have looked at an old state of the mutex. A mutex may be
 * destroyed when all are done with it.
 *
 * tso: proved
 * rc11: proved
 * rc11 -DOLD: assertion
 * rc11 -DOLD says: (trylock) fails by an old value
 * tso -DOLD: proved
 * rc11 by surw -DOLD: assertion
 * rc11 -DSPIN: proved
 * rc11 -DTOO_EARLY: misuse
 */
#include "weak.h"

atomic_int x;
int data;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused)
{
	pthread_mutex_lock(&mutex);
	data++;
	pthread_mutex_unlock(&mutex);
	STORE_TO(x, 1, relaxed);
	return unused;
}

static void *second(void *unused)
{
#ifdef OLD
	if (LOAD_FROM(x, relaxed) == 0)
		return unused;
	assert(pthread_mutex_trylock(&mutex) == 0);
#elif defined(SPIN)
	while (pthread_mutex_trylock(&mutex))
		;
#else
	if (pthread_mutex_trylock(&mutex))
		return unused;
#endif
	data++;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
#ifdef TOO_EARLY
	pthread_mutex_destroy(&mutex);
#endif
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
#ifndef TOO_EARLY
	pthread_mutex_destroy(&mutex);
#endif
	return 0;
}

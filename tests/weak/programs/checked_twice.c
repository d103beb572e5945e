/* Double-checked initialisation: a mutex beside atomics.
 *
 * sc: proved
 * tso: proved
 * rc11: proved
 * sc -DSEE=relaxed: race
 * rc11 -DSEE=relaxed: race
 */
#include "weak.h"

#ifndef SEE
#define SEE acquire
#endif

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int is_made;
int made;

static void *get(void *unused)
{
	if (!LOAD_FROM(is_made, SEE)) {
		pthread_mutex_lock(&mutex);
		if (!LOAD_FROM(is_made, relaxed)) {
			made = 42;
			STORE_TO(is_made, 1, release);
		}
		pthread_mutex_unlock(&mutex);
	}
	assert(made == 42);
	return unused;
}

MAIN(get, get)

/* A semaphore hands over what was written before the post, whatever the order of the atomics; a
 * release fence before a wait hands nothing over.
 *
 * tso: proved 1
 * rc11: proved 1
 * rc11 -DSTRONG: proved
 * rc11 -DTRY: assertion
 * rc11 -DTRY says: (sem-trywait) fails by an old value
 * tso -DTRY: proved
 * rc11 -DLOST: deadlock
 */
#include <semaphore.h>

#include "weak.h"

#ifdef STRONG
#define LEVEL seq_cst
#else
#define LEVEL relaxed
#endif

atomic_int x, y;
sem_t semaphore;

#ifndef TRY
static void *give(void *unused)
{
	STORE_TO(x, 1, LEVEL);
#ifndef LOST
	sem_post(&semaphore);
#endif
	return unused;
}

static void *take(void *unused)
{
	sem_wait(&semaphore);
	assert(LOAD_FROM(x, LEVEL) == 1);
	return unused;
}
#else
/* A failed sem_trywait may have looked at an old value: it orders nothing. */
static void *give(void *unused)
{
	sem_post(&semaphore);
	STORE_TO(x, 1, relaxed);
	return unused;
}

static void *take(void *unused)
{
	if (LOAD_FROM(x, relaxed) == 1)
		assert(sem_trywait(&semaphore) == 0);
	return unused;
}
#endif

MAIN(give, take)

/* A semaphore together with relaxed atomics is not modelled: never a proof. Without them it is.
 *
 * tso: unproved
 * rc11: unproved
 * rc11 -DSTRONG: proved
 */
#include <semaphore.h>

#include "weak.h"

#ifdef STRONG
#define LEVEL seq_cst
#else
#define LEVEL relaxed
#endif

atomic_int x;
sem_t semaphore;

static void *give(void *unused)
{
	STORE_TO(x, 1, LEVEL);
	sem_post(&semaphore);
	return unused;
}

static void *take(void *unused)
{
	sem_wait(&semaphore);
	assert(LOAD_FROM(x, LEVEL) == 1);
	return unused;
}

MAIN(give, take)

/* Read-write locks: a reader acquires what a writer released, and not what other readers released.
 *
 * tso: proved
 * rc11: proved
 * rc11 -DREADERS: assertion
 * tso -DREADERS: proved
 * rc11 by random -DREADERS: assertion
 * rc11 by pos -DTRY: none
 * rc11 -DTRY: proved
 * rc11 -DRACE: race
 */
#include "weak.h"

atomic_int x, y;
int data;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

#ifndef READERS
static void *writes(void *unused)
{
#ifdef TRY
	if (pthread_rwlock_trywrlock(&lock))
		return unused;
#else
	pthread_rwlock_wrlock(&lock);
#endif
	STORE_TO(x, 1, relaxed);
	data++;
	STORE_TO(y, 1, relaxed);
	pthread_rwlock_unlock(&lock);
	return unused;
}

static void *reads(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	assert(LOAD_FROM(x, relaxed) == LOAD_FROM(y, relaxed));
#ifdef RACE
	data++;
#else
	assert(data == LOAD_FROM(x, relaxed));
#endif
	pthread_rwlock_unlock(&lock);
	return unused;
}

MAIN(writes, reads, reads)
#else
static void *first(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	STORE_TO(x, 1, relaxed);
	pthread_rwlock_unlock(&lock);
	STORE_TO(y, 1, relaxed);
	return unused;
}

static void *second(void *unused)
{
	if (LOAD_FROM(y, relaxed) == 0)
		return unused;
	pthread_rwlock_rdlock(&lock);
	assert(LOAD_FROM(x, relaxed) == 1);
	pthread_rwlock_unlock(&lock);
	return unused;
}

MAIN(first, second)
#endif

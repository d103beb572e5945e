/* A mutex is not a fence: accesses around a critical section may overlap those of another. On x86 it
 * is one.
 *
 * sc: proved
 * tso: proved
 * rc11: assertion
 */
#define CHECK assert(saw_x || saw_y)
#include "weak.h"

pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
atomic_int x, y;
int saw_x, saw_y;

static void pass(pthread_mutex_t *mutex)
{
	pthread_mutex_lock(mutex);
	pthread_mutex_unlock(mutex);
}

static void *first(void *unused)
{
	STORE_TO(x, 1, relaxed);
	pass(&mutexes[0]);
	saw_y = LOAD_FROM(y, relaxed);
	return unused;
}

static void *second(void *unused)
{
	STORE_TO(y, 1, relaxed);
	pass(&mutexes[1]);
	saw_x = LOAD_FROM(x, relaxed);
	return unused;
}

MAIN(first, second)

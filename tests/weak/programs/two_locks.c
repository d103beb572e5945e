/* Two mutexes taken in opposite orders, beside a relaxed counter.
 *
 * sc: deadlock
 * tso: deadlock
 * rc11: deadlock
 * sc -DSAME_ORDER: proved
 * tso -DSAME_ORDER: proved
 * rc11 -DSAME_ORDER: proved
 */
#include "weak.h"

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
atomic_int count;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	ADD_TO(count, 1, relaxed);
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static void *one(void *unused)
{
	both(&a, &b);
	return unused;
}

static void *other(void *unused)
{
#ifdef SAME_ORDER
	both(&a, &b);
#else
	both(&b, &a);
#endif
	return unused;
}

MAIN(one, other)

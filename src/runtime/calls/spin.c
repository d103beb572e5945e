/* spin.c: spin locks. The int holds FREE, or the holder's index + HELD. A spin lock
 * that is waited for is a lock that is not free: nobody really spins. */
#include "runtime/calls/sync.h"

#include "runtime/intercept.h"

/* glibc initialises to 1 on this machine, to 0 on others. */
enum { FREE = 1, FREE_ELSEWHERE = 0, HELD = 2, DESTROYED = -1 };

static void complain(pthread_spinlock_t *lock, uint64_t site, const char *what)
{
	RT_MISUSE(site, rt_lock_object((void *)lock), "%s", what);
}

static bool can_take(struct rt_actor *actor, void *thing)
{
	return *(pthread_spinlock_t *)thing < HELD;
}

static int finish_lock(pthread_spinlock_t *lock, struct event *did, uint64_t site)
{
	if (*lock == DESTROYED) {
		complain(lock, site, "locking a spin lock that was destroyed");
		return EINVAL;
	}
	if (*lock >= HELD) {
		did->accesses[0].mode = ACCESS_TRY;
		did->flags |= EVENT_FAILED;
		did->value = EBUSY;
		return EBUSY;
	}
	*lock = (int)rt_self()->index + HELD;
	rt_held_add(rt_self(), (void *)lock, ACCESS_ACQUIRE, site);
	return 0;
}

static int take(pthread_spinlock_t *lock, uint64_t site)
{
	struct event event = rt_event(EVENT_LOCK, site);

	rt_access(&event, OBJECT_LOCK, (void *)lock, ACCESS_ACQUIRE);
	return finish_lock(lock, rt_step(&event, can_take, (void *)lock), site);
}

static int try_take(pthread_spinlock_t *lock, uint64_t site)
{
	struct event event = rt_event(EVENT_TRYLOCK, site);

	event.flags = EVENT_TRY;
	rt_access(&event, OBJECT_LOCK, (void *)lock, ACCESS_ACQUIRE);
	return finish_lock(lock, rt_step(&event, NULL, NULL), site);
}

static int give(pthread_spinlock_t *lock, uint64_t site)
{
	struct event event = rt_event(EVENT_UNLOCK, site);

	if (*lock != (int)rt_self()->index + HELD) {
		complain(lock, site, "unlocking a spin lock one does not hold");
		return EPERM;
	}
	rt_access(&event, OBJECT_LOCK, (void *)lock, ACCESS_RELEASE);
	rt_step(&event, NULL, NULL);
	*lock = FREE;
	rt_held_remove(rt_self(), (void *)lock);
	return 0;
}

static int destroy(pthread_spinlock_t *lock, uint64_t site)
{
	struct event event = rt_event(EVENT_DESTROY, site);
	struct event *did;

	event.flags = EVENT_TRY;
	rt_access(&event, OBJECT_LOCK, (void *)lock, ACCESS_ACQUIRE);
	did = rt_step(&event, NULL, NULL);
	if (*lock >= HELD) {
		did->flags |= EVENT_FAILED;
		complain(lock, site, "destroying a spin lock that is locked");
		return EBUSY;
	}
	if (*lock == DESTROYED)
		complain(lock, site, "destroying a spin lock twice");
	*lock = DESTROYED;
	return 0;
}

INTERCEPT(int, pthread_spin_init, (pthread_spinlock_t *lock, int shared))
{
	return REAL(pthread_spin_init)(lock, shared);
}

INTERCEPT(int, pthread_spin_destroy, (pthread_spinlock_t *lock))
{
	if (!rt_active())
		return REAL(pthread_spin_destroy)(lock);
	return destroy(lock, RT_SITE);
}

INTERCEPT(int, pthread_spin_lock, (pthread_spinlock_t *lock))
{
	if (!rt_active())
		return REAL(pthread_spin_lock)(lock);
	return take(lock, RT_SITE);
}

INTERCEPT(int, pthread_spin_trylock, (pthread_spinlock_t *lock))
{
	if (!rt_active())
		return REAL(pthread_spin_trylock)(lock);
	return try_take(lock, RT_SITE);
}

INTERCEPT(int, pthread_spin_unlock, (pthread_spinlock_t *lock))
{
	if (!rt_active())
		return REAL(pthread_spin_unlock)(lock);
	return give(lock, RT_SITE);
}

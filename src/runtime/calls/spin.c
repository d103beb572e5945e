/* spin.c: spin locks. The int holds FREE, or the holder's index + HELD. A spin lock
 * that is waited for is a lock that is not free: no thread really spins.
 *
 * Under --memory tso a spin lock is not modelled in graphs: on x86 it is unlocked by a store that,
 * unlike the unlocking of a mutex, does not drain the store buffer. */
#include "runtime/calls/sync.h"

#include "runtime/history.h"
#include "runtime/intercept.h"

/* glibc initialises to 1 on this machine, to 0 on others. */
enum { FREE = 1, FREE_ELSEWHERE = 0, HELD = 2, DESTROYED = -1 };

static void complain(pthread_spinlock_t *lock, uint64_t site, const char *what)
{
	rt_held_misuse((void *)lock, site, what);
}

static bool can_take(struct rt_actor *actor, void *thing)
{
	return *(pthread_spinlock_t *)thing < HELD;
}

static bool is_in_graphs(void)
{
	return RT->channel->options.memory != MEMORY_TSO;
}

static void describe(struct event *event, const pthread_spinlock_t *lock, enum access_mode mode)
{
	rt_access(event, OBJECT_LOCK, (const void *)lock, mode);
	if (is_in_graphs())
		rt_history_object(event);
}

static void note_found(const pthread_spinlock_t *lock, struct event *did)
{
	rt_history_found(did, *lock >= HELD ? RT_LOCK_HELD : RT_LOCK_FREE);
}

static int finish_lock(pthread_spinlock_t *lock, struct event *did, uint64_t site)
{
	if (*lock == DESTROYED) {
		complain(lock, site, "locking a spin lock that was destroyed");
		return EINVAL;
	}
	note_found(lock, did);
	if (rt_history_is_old(did) || *lock >= HELD) {
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
	struct event *did;

	describe(&event, lock, ACCESS_ACQUIRE);
	if (!is_in_graphs() || !rt_history_tries(&event))
		return finish_lock(lock, rt_step(&event, can_take, (void *)lock), site);
	did = rt_step(&event, NULL, NULL);
	note_found(lock, did);
	if (*lock >= HELD)
		rt_history_stay(&event, did);
	return finish_lock(lock, did, site);
}

static int try_take(pthread_spinlock_t *lock, uint64_t site)
{
	struct event event = rt_event(EVENT_TRYLOCK, site);

	describe(&event, lock, ACCESS_ACQUIRE);
	event.flags = EVENT_TRY;
	return finish_lock(lock, rt_step(&event, NULL, NULL), site);
}

static int give(pthread_spinlock_t *lock, uint64_t site)
{
	struct event event = rt_event(EVENT_UNLOCK, site);

	describe(&event, lock, ACCESS_RELEASE);
	if (*lock != (int)rt_self()->index + HELD) {
		complain(lock, site, "unlocking a spin lock one does not hold");
		return EPERM;
	}
	note_found(lock, rt_step(&event, NULL, NULL));
	*lock = FREE;
	rt_held_remove(rt_self(), (void *)lock);
	return 0;
}

static int destroy(pthread_spinlock_t *lock, uint64_t site)
{
	struct event event = rt_event(EVENT_DESTROY, site);
	struct event *did;

	describe(&event, lock, ACCESS_ACQUIRE);
	event.flags = EVENT_TRY;
	did = rt_step(&event, NULL, NULL);
	note_found(lock, did);
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
	rt_init_object((const void *)lock, sizeof(*lock), RT_SITE);
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

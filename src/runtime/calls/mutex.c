/* mutex.c: mutexes of all kinds.
 *
 * The model lives in the pthread_mutex_t, in glibc's own fields, so that static
 * initialisers and attributes keep their meaning. __lock is 1 while the mutex is held,
 * __owner is the holder's index + 1, __count says how often a recursive mutex is
 * locked, and __kind is as glibc has set it. __nusers is ours for robust ones: enum
 * robust_state. */
#include "runtime/calls/sync.h"

#include <stdlib.h>

#include "runtime/history.h"
#include "runtime/intercept.h"

enum { KIND_MASK = 3, KIND_ROBUST = 16, KIND_CEILING = 64, KIND_DESTROYED = -1 };

enum robust_state {
	ROBUST_FINE,
	ROBUST_DEAD,         /* the holder ended: the next lock returns EOWNERDEAD */
	ROBUST_INCONSISTENT, /* held by the thread that got EOWNERDEAD */
	ROBUST_LOST,         /* given up without being made consistent */
};

static bool is_destroyed(const pthread_mutex_t *mutex)
{
	return mutex->__data.__kind == KIND_DESTROYED;
}

static int kind_of(const pthread_mutex_t *mutex)
{
	return mutex->__data.__kind & KIND_MASK;
}

static bool is_robust(const pthread_mutex_t *mutex)
{
	return !is_destroyed(mutex) && mutex->__data.__kind & KIND_ROBUST;
}

bool rt_mutex_checks_owner(const pthread_mutex_t *mutex)
{
	return !is_destroyed(mutex) &&
	       (kind_of(mutex) == PTHREAD_MUTEX_ERRORCHECK ||
		kind_of(mutex) == PTHREAD_MUTEX_RECURSIVE || is_robust(mutex));
}

bool rt_mutex_is_free(const pthread_mutex_t *mutex)
{
	return mutex->__data.__lock == 0 || is_destroyed(mutex);
}

bool rt_mutex_is_held_by(const pthread_mutex_t *mutex, const struct rt_actor *actor)
{
	return mutex->__data.__lock && !is_destroyed(mutex) &&
	       mutex->__data.__owner == (int)actor->index + 1;
}

bool rt_mutex_is_nested(const pthread_mutex_t *mutex)
{
	return mutex->__data.__count > 1;
}

void rt_mutex_nest(pthread_mutex_t *mutex, int by)
{
	mutex->__data.__count += (unsigned)by;
}

static bool can_lock(struct rt_actor *actor, void *mutex)
{
	return rt_mutex_is_free(mutex);
}

static bool can_lock_or_expired(struct rt_actor *actor, void *mutex)
{
	return rt_mutex_is_free(mutex) || actor->timed_out;
}

int rt_mutex_take(pthread_mutex_t *mutex, uint64_t site)
{
	struct rt_actor *self = rt_self();
	struct rt_held *held;

	if (is_destroyed(mutex)) {
		RT_MISUSE(site, rt_lock_object(mutex), "locking a mutex that was destroyed");
		return EINVAL;
	}
	if (is_robust(mutex) && mutex->__data.__nusers == ROBUST_LOST)
		return ENOTRECOVERABLE;
	mutex->__data.__lock = 1;
	mutex->__data.__owner = (int)self->index + 1;
	mutex->__data.__count = 1;
	rt_held_add(self, mutex, ACCESS_ACQUIRE, site);
	held = rt_held_find(self, mutex);
	if (held)
		held->robust = is_robust(mutex);
	if (is_robust(mutex) && mutex->__data.__nusers == ROBUST_DEAD) {
		mutex->__data.__nusers = ROBUST_INCONSISTENT;
		return EOWNERDEAD;
	}
	return 0;
}

void rt_mutex_give(pthread_mutex_t *mutex)
{
	mutex->__data.__lock = 0;
	mutex->__data.__owner = 0;
	mutex->__data.__count = 0;
	if (is_robust(mutex) && mutex->__data.__nusers == ROBUST_INCONSISTENT)
		mutex->__data.__nusers = ROBUST_LOST;
	rt_held_remove(rt_self(), mutex);
}

/* Locking a mutex that the thread itself holds: the outcome depends on no other thread, so
 * it is not a step. Returns -1 where it is not decided by the kind. */
static int lock_again(pthread_mutex_t *mutex)
{
	if (!rt_mutex_is_held_by(mutex, rt_self()))
		return -1;
	if (kind_of(mutex) == PTHREAD_MUTEX_RECURSIVE) {
		rt_mutex_nest(mutex, 1);
		return 0;
	}
	return kind_of(mutex) == PTHREAD_MUTEX_ERRORCHECK ? EDEADLK : -1;
}

/* glibc keeps the ceiling of a mutex of PTHREAD_PRIO_PROTECT in __lock, above the lowest bits. Such a
 * mutex may refuse a thread, by priorities that are not modelled. */
static void check_ceiling(pthread_mutex_t *mutex, uint64_t site)
{
	if (is_destroyed(mutex) || !(mutex->__data.__kind & KIND_CEILING))
		return;
	rt_warn_uncontrolled_at("a mutex with a ceiling (PTHREAD_PRIO_PROTECT)", site);
	mutex->__data.__lock &= 1;
}

static void describe_lock(struct event *event, pthread_mutex_t *mutex)
{
	check_ceiling(mutex, event->site);
	rt_access_lock(event, mutex, ACCESS_ACQUIRE);
	rt_history_object(event);
}

/* A step on the mutex was chosen. */
static void note_found(const pthread_mutex_t *mutex, struct event *did)
{
	rt_history_found(did, mutex->__data.__lock ? RT_LOCK_HELD : RT_LOCK_FREE);
}

static int fail_lock(struct event *did, int failure)
{
	did->accesses[0].mode = ACCESS_TRY;
	did->flags |= EVENT_FAILED;
	did->value = (uint64_t)failure;
	return failure;
}

/* The step was chosen: takes the mutex, or says with `failure` that it could not. */
static int finish_lock(pthread_mutex_t *mutex, struct event *did, int failure, uint64_t site)
{
	int result;

	if (!rt_mutex_is_free(mutex))
		return fail_lock(did, failure);
	result = rt_mutex_take(mutex, site);
	did->value = (uint64_t)result;
	return result;
}

static int lock_or_stay(pthread_mutex_t *mutex, struct event *event, uint64_t site)
{
	struct event *did;

	rt_history_tries(event);
	did = rt_step(event, NULL, NULL);
	note_found(mutex, did);
	if (!rt_mutex_is_free(mutex))
		rt_history_stay(event, did);
	return finish_lock(mutex, did, 0, site);
}

int rt_mutex_lock(pthread_mutex_t *mutex, const struct rt_limit *limit, uint64_t site)
{
	struct event event = rt_event(EVENT_LOCK, site);
	struct event *did;
	int again;

	describe_lock(&event, mutex);
	again = lock_again(mutex);
	if (again >= 0)
		return again;
	if (!limit && rt_history_in_graphs())
		return lock_or_stay(mutex, &event, site);
	if (!rt_limit_arm(limit))
		return rt_mutex_trylock(mutex, site) ? EINVAL : 0;
	did = rt_step(&event, limit ? can_lock_or_expired : can_lock, mutex);
	rt_limit_disarm(limit);
	if (limit && rt_self()->timed_out)
		did->flags |= EVENT_TRY;
	return finish_lock(mutex, did, ETIMEDOUT, site);
}

int rt_mutex_trylock(pthread_mutex_t *mutex, uint64_t site)
{
	struct event event = rt_event(EVENT_TRYLOCK, site);
	struct event *did;

	describe_lock(&event, mutex);
	if (lock_again(mutex) == 0)
		return 0;
	event.flags = EVENT_TRY;
	did = rt_step(&event, NULL, NULL);
	note_found(mutex, did);
	return rt_history_is_old(did) ? fail_lock(did, EBUSY) : finish_lock(mutex, did, EBUSY, site);
}

static void release(pthread_mutex_t *mutex, uint64_t site)
{
	struct event event = rt_event(EVENT_UNLOCK, site);

	rt_access_lock(&event, mutex, ACCESS_RELEASE);
	rt_history_object(&event);
	note_found(mutex, rt_step(&event, NULL, NULL));
}

/* Wrong, but it works: the thread that held it holds it no more. */
static void unlock_of_other(pthread_mutex_t *mutex, uint64_t site)
{
	int owner = mutex->__data.__owner - 1;

	rt_held_misuse(mutex, site, "unlocking a mutex that another thread holds");
	release(mutex, site);
	if (mutex->__data.__owner - 1 == owner && mutex->__data.__lock) {
		rt_held_remove(&RT->actors[owner], mutex);
		rt_mutex_give(mutex);
	}
}

static int unlock_unheld(pthread_mutex_t *mutex, uint64_t site)
{
	if (rt_mutex_checks_owner(mutex))
		return EPERM;
	if (is_destroyed(mutex))
		RT_MISUSE(site, rt_lock_object(mutex), "unlocking a mutex that was destroyed");
	else if (mutex->__data.__lock)
		unlock_of_other(mutex, site);
	else
		RT_MISUSE(site, rt_lock_object(mutex), "unlocking a mutex that is not locked");
	return 0;
}

int rt_mutex_unlock(pthread_mutex_t *mutex, uint64_t site)
{
	if (!rt_mutex_is_held_by(mutex, rt_self()))
		return unlock_unheld(mutex, site);
	if (rt_mutex_is_nested(mutex)) {
		rt_mutex_nest(mutex, -1);
		return 0;
	}
	release(mutex, site);
	rt_mutex_give(mutex);
	return 0;
}

/* Always possible, so it can also come before the unlock that made it right. */
int rt_mutex_destroy(pthread_mutex_t *mutex, uint64_t site)
{
	struct event event = rt_event(EVENT_DESTROY, site);
	struct event *did;

	describe_lock(&event, mutex);
	event.flags = EVENT_TRY;
	did = rt_step(&event, NULL, NULL);
	note_found(mutex, did);
	if (is_destroyed(mutex)) {
		RT_MISUSE(site, rt_lock_object(mutex), "destroying a mutex twice");
		return EINVAL;
	}
	if (mutex->__data.__lock) {
		did->flags |= EVENT_FAILED;
		rt_held_misuse(mutex, site, "destroying a mutex that is locked");
		return EBUSY;
	}
	mutex->__data.__kind = KIND_DESTROYED;
	return 0;
}

static int make_consistent(pthread_mutex_t *mutex)
{
	if (!is_robust(mutex) || !rt_mutex_is_held_by(mutex, rt_self()) ||
	    mutex->__data.__nusers != ROBUST_INCONSISTENT)
		return EINVAL;
	mutex->__data.__nusers = ROBUST_FINE;
	return 0;
}

/* Robust mutexes pass to the next; that is what they are for. */
static void give_up_robust(pthread_mutex_t *mutex, uint64_t site)
{
	struct event event = rt_event(EVENT_UNLOCK, site);

	rt_access_lock(&event, mutex, ACCESS_RELEASE);
	rt_step(&event, NULL, NULL)->value = EOWNERDEAD; /* not modelled in graphs */
	mutex->__data.__nusers = ROBUST_FINE;
	rt_mutex_give(mutex);
	mutex->__data.__nusers = ROBUST_DEAD;
}

void rt_held_at_exit(struct rt_actor *actor, uint64_t site)
{
	for (uint32_t i = actor->held_len; i-- > 0;) {
		const struct rt_held *held = &actor->held[i];

		if (held->robust)
			give_up_robust(held->thing, site);
		else
			rt_notice(FINDING_MISUSE, held->site, held->object, site,
				  "the thread ends without unlocking the lock that it took here");
	}
}

/* ---- the intercepted functions ---- */

INTERCEPT(int, pthread_mutex_init, (pthread_mutex_t *mutex, const pthread_mutexattr_t *attr))
{
	rt_init_object(mutex, sizeof(*mutex), RT_SITE);
	rt_reads(attr, sizeof(*attr), RT_SITE);
	return REAL(pthread_mutex_init)(mutex, attr);
}

INTERCEPT(int, pthread_mutex_destroy, (pthread_mutex_t *mutex))
{
	if (!rt_active_quietly())
		return REAL(pthread_mutex_destroy)(mutex);
	return rt_mutex_destroy(mutex, RT_SITE);
}

INTERCEPT(int, pthread_mutex_lock, (pthread_mutex_t *mutex))
{
	if (!rt_active_quietly())
		return REAL(pthread_mutex_lock)(mutex);
	return rt_mutex_lock(mutex, NULL, RT_SITE);
}

INTERCEPT(int, pthread_mutex_trylock, (pthread_mutex_t *mutex))
{
	if (!rt_active_quietly())
		return REAL(pthread_mutex_trylock)(mutex);
	return rt_mutex_trylock(mutex, RT_SITE);
}

INTERCEPT(int, pthread_mutex_timedlock, (pthread_mutex_t *mutex, const struct timespec *at))
{
	if (!rt_active())
		return REAL(pthread_mutex_timedlock)(mutex, at);
	return rt_mutex_lock(mutex, RT_LIMIT(CLOCK_REALTIME, at), RT_SITE);
}

INTERCEPT(int, pthread_mutex_clocklock,
	  (pthread_mutex_t *mutex, clockid_t clock, const struct timespec *at))
{
	if (!rt_active())
		return REAL(pthread_mutex_clocklock)(mutex, clock, at);
	return rt_mutex_lock(mutex, RT_LIMIT(clock, at), RT_SITE);
}

INTERCEPT(int, pthread_mutex_unlock, (pthread_mutex_t *mutex))
{
	if (!rt_active_quietly())
		return REAL(pthread_mutex_unlock)(mutex);
	return rt_mutex_unlock(mutex, RT_SITE);
}

INTERCEPT(int, pthread_mutex_consistent, (pthread_mutex_t *mutex))
{
	if (!rt_active())
		return REAL(pthread_mutex_consistent)(mutex);
	return make_consistent(mutex);
}

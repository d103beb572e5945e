/* rwlock.c: read-write locks. In the pthread_rwlock_t: __readers counts those who
 * share it, __cur_writer is the index + 1 of who has it alone, __pad3 says that it
 * was destroyed. Whether readers pass waiting writers is left open: any order that
 * some implementation may give is explored, whatever preference was asked for. */
#include "runtime/calls/sync.h"

#include "runtime/intercept.h"

enum { DESTROYED = 0x0deadbed };

static bool is_destroyed(const pthread_rwlock_t *lock)
{
	return lock->__data.__pad3 == DESTROYED;
}

static void complain(const pthread_rwlock_t *lock, uint64_t site, const char *what)
{
	RT_MISUSE(site, rt_lock_object(lock), "%s", what);
}

static bool can_read(struct rt_actor *actor, void *thing)
{
	const pthread_rwlock_t *lock = thing;

	return lock->__data.__cur_writer == 0 || is_destroyed(lock);
}

static bool can_read_or_expired(struct rt_actor *actor, void *thing)
{
	return can_read(actor, thing) || actor->timed_out;
}

static bool can_write(struct rt_actor *actor, void *thing)
{
	const pthread_rwlock_t *lock = thing;

	return can_read(actor, thing) && (lock->__data.__readers == 0 || is_destroyed(lock));
}

static bool can_write_or_expired(struct rt_actor *actor, void *thing)
{
	return can_write(actor, thing) || actor->timed_out;
}

static bool is_writer(const pthread_rwlock_t *lock)
{
	return lock->__data.__cur_writer == (int)rt_self()->index + 1;
}

static int take_lock(pthread_rwlock_t *lock, enum access_mode mode, uint64_t site)
{
	if (is_destroyed(lock)) {
		complain(lock, site, "locking a read-write lock that was destroyed");
		return EINVAL;
	}
	if (mode == ACCESS_SHARE)
		lock->__data.__readers++;
	else
		lock->__data.__cur_writer = (int)rt_self()->index + 1;
	rt_held_add(rt_self(), lock, mode, site);
	return 0;
}

/* The step was chosen: takes the lock or fails with `failure`. */
static int finish_lock(pthread_rwlock_t *lock, enum access_mode mode, struct event *did,
		       int failure, uint64_t site)
{
	rt_can *can = mode == ACCESS_SHARE ? can_read : can_write;
	int result = can(rt_self(), lock) ? take_lock(lock, mode, site) : failure;

	did->value = (uint64_t)result;
	if (result == failure) {
		did->accesses[0].mode = ACCESS_TRY;
		did->flags |= EVENT_FAILED;
	}
	return result;
}

static int try_lock(pthread_rwlock_t *lock, enum access_mode mode, uint64_t site)
{
	struct event event =
		rt_event(mode == ACCESS_SHARE ? EVENT_TRYRDLOCK : EVENT_TRYLOCK, site);

	event.flags = EVENT_TRY;
	rt_access(&event, OBJECT_LOCK, lock, mode);
	return finish_lock(lock, mode, rt_step(&event, NULL, NULL), EBUSY, site);
}

static int lock_until(pthread_rwlock_t *lock, enum access_mode mode, const struct rt_limit *limit,
		      uint64_t site)
{
	struct event event = rt_event(mode == ACCESS_SHARE ? EVENT_RDLOCK : EVENT_LOCK, site);
	struct event *did;
	rt_can *can;

	if (is_writer(lock))
		return EDEADLK;
	rt_access(&event, OBJECT_LOCK, lock, mode);
	/* Waiting for oneself to stop reading: whatever the others do, it never ends. */
	if (mode == ACCESS_ACQUIRE && !limit && rt_held_find(rt_self(), lock))
		event.accesses[0].mode = ACCESS_READ;
	if (!rt_limit_arm(limit))
		return try_lock(lock, mode, site) ? EINVAL : 0;
	if (mode == ACCESS_SHARE)
		can = limit ? can_read_or_expired : can_read;
	else
		can = limit ? can_write_or_expired : can_write;
	did = rt_step(&event, can, lock);
	rt_limit_disarm(limit);
	if (limit && rt_self()->timed_out)
		did->flags |= EVENT_TRY;
	return finish_lock(lock, mode, did, ETIMEDOUT, site);
}

static int unlock(pthread_rwlock_t *lock, uint64_t site)
{
	bool writes = is_writer(lock);
	struct event event = rt_event(writes ? EVENT_UNLOCK : EVENT_RDUNLOCK, site);

	if (is_destroyed(lock)) {
		complain(lock, site, "unlocking a read-write lock that was destroyed");
		return EINVAL;
	}
	if (!writes && (rt_held_surely_not(rt_self(), lock) || !lock->__data.__readers)) {
		complain(lock, site, "unlocking a read-write lock one does not hold");
		return EPERM;
	}
	rt_access(&event, OBJECT_LOCK, lock, writes ? ACCESS_RELEASE : ACCESS_UNSHARE);
	rt_step(&event, NULL, NULL);
	if (writes)
		lock->__data.__cur_writer = 0;
	else
		lock->__data.__readers--;
	rt_held_remove(rt_self(), lock);
	return 0;
}

static int destroy(pthread_rwlock_t *lock, uint64_t site)
{
	struct event event = rt_event(EVENT_DESTROY, site);
	struct event *did;

	event.flags = EVENT_TRY;
	rt_access(&event, OBJECT_LOCK, lock, ACCESS_ACQUIRE);
	did = rt_step(&event, NULL, NULL);
	if (is_destroyed(lock)) {
		complain(lock, site, "destroying a read-write lock twice");
		return EINVAL;
	}
	if (lock->__data.__cur_writer || lock->__data.__readers) {
		did->flags |= EVENT_FAILED;
		complain(lock, site, "destroying a read-write lock that is locked");
		return EBUSY;
	}
	lock->__data.__pad3 = DESTROYED;
	return 0;
}

INTERCEPT(int, pthread_rwlock_init, (pthread_rwlock_t *lock, const pthread_rwlockattr_t *attr))
{
	return REAL(pthread_rwlock_init)(lock, attr);
}

INTERCEPT(int, pthread_rwlock_destroy, (pthread_rwlock_t *lock))
{
	if (!rt_active())
		return REAL(pthread_rwlock_destroy)(lock);
	return destroy(lock, RT_SITE);
}

INTERCEPT(int, pthread_rwlock_rdlock, (pthread_rwlock_t *lock))
{
	if (!rt_active())
		return REAL(pthread_rwlock_rdlock)(lock);
	return lock_until(lock, ACCESS_SHARE, NULL, RT_SITE);
}

INTERCEPT(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t *lock))
{
	if (!rt_active())
		return REAL(pthread_rwlock_tryrdlock)(lock);
	return try_lock(lock, ACCESS_SHARE, RT_SITE);
}

INTERCEPT(int, pthread_rwlock_timedrdlock, (pthread_rwlock_t *lock, const struct timespec *at))
{
	if (!rt_active())
		return REAL(pthread_rwlock_timedrdlock)(lock, at);
	return lock_until(lock, ACCESS_SHARE, &(struct rt_limit){CLOCK_REALTIME, at}, RT_SITE);
}

INTERCEPT(int, pthread_rwlock_clockrdlock,
	  (pthread_rwlock_t *lock, clockid_t clock, const struct timespec *at))
{
	if (!rt_active())
		return REAL(pthread_rwlock_clockrdlock)(lock, clock, at);
	return lock_until(lock, ACCESS_SHARE, &(struct rt_limit){clock, at}, RT_SITE);
}

INTERCEPT(int, pthread_rwlock_wrlock, (pthread_rwlock_t *lock))
{
	if (!rt_active())
		return REAL(pthread_rwlock_wrlock)(lock);
	return lock_until(lock, ACCESS_ACQUIRE, NULL, RT_SITE);
}

INTERCEPT(int, pthread_rwlock_trywrlock, (pthread_rwlock_t *lock))
{
	if (!rt_active())
		return REAL(pthread_rwlock_trywrlock)(lock);
	return try_lock(lock, ACCESS_ACQUIRE, RT_SITE);
}

INTERCEPT(int, pthread_rwlock_timedwrlock, (pthread_rwlock_t *lock, const struct timespec *at))
{
	if (!rt_active())
		return REAL(pthread_rwlock_timedwrlock)(lock, at);
	return lock_until(lock, ACCESS_ACQUIRE, &(struct rt_limit){CLOCK_REALTIME, at}, RT_SITE);
}

INTERCEPT(int, pthread_rwlock_clockwrlock,
	  (pthread_rwlock_t *lock, clockid_t clock, const struct timespec *at))
{
	if (!rt_active())
		return REAL(pthread_rwlock_clockwrlock)(lock, clock, at);
	return lock_until(lock, ACCESS_ACQUIRE, &(struct rt_limit){clock, at}, RT_SITE);
}

INTERCEPT(int, pthread_rwlock_unlock, (pthread_rwlock_t *lock))
{
	if (!rt_active())
		return REAL(pthread_rwlock_unlock)(lock);
	return unlock(lock, RT_SITE);
}

/* rwlock.c: read-write locks.
 *
 * The model lives in the pthread_rwlock_t: __readers counts the threads that share the lock,
 * __cur_writer is the index + 1 of the thread that has it alone, __pad3 marks a destroyed lock.
 * A reader may pass a waiting writer, as it may with glibc's default kind. So a thread that
 * reads already takes no step when it locks for reading again: no thread can keep it out, and
 * no thread can notice.
 *
 * With PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP a waiting writer keeps new readers out, and
 * a thread that locks for reading twice can wait for the writer that waits for it. There a
 * writer that finds the lock taken joins a queue (__writers counts it), and a thread that finds
 * the lock or the queue in its way waits in a waiting set until the next unlock.
 */
#include "runtime/calls/sync.h"

#include "runtime/history.h"
#include "runtime/intercept.h"

enum { DESTROYED = 0x0deadbed };

static bool is_destroyed(const pthread_rwlock_t *lock)
{
	return lock->__data.__pad3 == DESTROYED;
}

static void complain(const pthread_rwlock_t *lock, uint64_t site, const char *what)
{
	rt_held_misuse(lock, site, what);
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

static bool prefers_writers(const pthread_rwlock_t *lock)
{
	return lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

/* Is another thread about to write? POSIX lets a lock keep readers out then. */
static bool somebody_waits(const pthread_rwlock_t *lock)
{
	for (uint32_t i = 0; i < RT->actors_high; i++)
		if (RT->actors[i].state == RT_ANNOUNCED && RT->actors[i].thing == lock &&
		    RT->actors[i].announced.kind == EVENT_LOCK)
			return true;
	return false;
}

/* Locks it for reading once more, if the current thread reads already. */
static bool share_again(pthread_rwlock_t *lock, enum access_mode mode, uint64_t site)
{
	struct rt_held *held = rt_held_find(rt_self(), lock);

	if (mode != ACCESS_SHARE || !held || held->mode != ACCESS_SHARE || is_destroyed(lock))
		return false;
	rt_held_add(rt_self(), lock, mode, site);
	if (somebody_waits(lock))
		RT->channel->assumed |= ASSUMED_READERS_PASS;
	return true;
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

static void note_found(const pthread_rwlock_t *lock, struct event *did)
{
	rt_history_found(did, lock->__data.__cur_writer ? RT_LOCK_HELD : lock->__data.__readers);
}

/* The step was chosen: takes the lock or fails with `failure`. */
static int finish_lock(pthread_rwlock_t *lock, enum access_mode mode, struct event *did,
		       int failure, uint64_t site)
{
	rt_can *can = mode == ACCESS_SHARE ? can_read : can_write;
	int result;

	note_found(lock, did);
	result = !rt_history_is_old(did) && can(rt_self(), lock) ? take_lock(lock, mode, site)
								 : failure;
	did->value = (uint64_t)result;
	if (result == failure) {
		did->accesses[0].mode = ACCESS_TRY;
		did->flags |= EVENT_FAILED;
	}
	return result;
}

/* ---- locks that prefer writers ---- */

static uint64_t queue_object(const pthread_rwlock_t *lock)
{
	return OBJECT(OBJECT_FUTEX, rt_name(lock));
}

static bool is_open(const pthread_rwlock_t *lock, enum access_mode mode)
{
	if (is_destroyed(lock))
		return true;
	if (lock->__data.__cur_writer)
		return false;
	return mode == ACCESS_SHARE ? !lock->__data.__writers : !lock->__data.__readers;
}

/* A step that looks at the lock and takes it, or enters the waiting set. It is always possible,
 * so an unlock before it opens no door (EVENT_WAS_OPEN). */
static bool take_or_enter(pthread_rwlock_t *lock, enum access_mode mode, bool queues, uint64_t site,
			  int *result)
{
	struct event event = rt_event(mode == ACCESS_SHARE ? EVENT_RDLOCK : EVENT_LOCK, site);
	struct event *did;

	rt_access_lock(&event, lock, ACCESS_ACQUIRE);
	rt_access_object(&event, queue_object(lock), ACCESS_ENTER);
	did = rt_step(&event, NULL, NULL);
	if (is_open(lock, mode)) {
		did->access_len = 1;
		did->accesses[0].mode = mode;
		lock->__data.__writers -= mode == ACCESS_ACQUIRE && !queues;
		*result = take_lock(lock, mode, site);
		return true;
	}
	did->flags |= EVENT_FAILED;
	lock->__data.__writers += mode == ACCESS_ACQUIRE && queues;
	rt_wait_enter(rt_self(), queue_object(lock));
	return false;
}

static bool can_leave_queue(struct rt_actor *actor, void *thing)
{
	return !actor->waiting_on || rt_wait_has_token(actor);
}

/* False when the time is over. */
static bool wait_in_queue(const pthread_rwlock_t *lock, const struct rt_limit *limit,
			  uint64_t site)
{
	struct rt_actor *self = rt_self();
	struct event event = rt_event(EVENT_FUTEX_BLOCK, site);
	uint64_t deadline_ns;

	if (limit && rt_deadline(limit->clock, limit->at, &deadline_ns))
		rt_timer_arm(self, deadline_ns, queue_object(lock), rt_wait_expire);
	rt_access_object(&event, queue_object(lock), ACCESS_LEAVE);
	rt_step(&event, can_leave_queue, NULL);
	rt_limit_disarm(limit);
	if (!self->waiting_on)
		return false;
	rt_wait_leave(self);
	return true;
}

/* A step that changes the lock and lets everyone in the waiting set look again. */
static void wake_queue(pthread_rwlock_t *lock, enum event_kind kind, uint64_t site)
{
	struct event event = rt_event(kind, site);

	event.flags = EVENT_WAS_OPEN;
	rt_access_lock(&event, lock,
		  kind == EVENT_UNLOCK ? ACCESS_RELEASE : ACCESS_UNSHARE);
	rt_access_object(&event, queue_object(lock), ACCESS_SIGNAL);
	rt_step(&event, NULL, NULL);
	rt_wait_signal(queue_object(lock), INT32_MAX);
}

static int lock_in_turn(pthread_rwlock_t *lock, enum access_mode mode,
			const struct rt_limit *limit, uint64_t site)
{
	bool queues = true;
	int result;

	while (!take_or_enter(lock, mode, queues, site, &result)) {
		queues = false;
		if (wait_in_queue(lock, limit, site))
			continue;
		if (mode == ACCESS_ACQUIRE) { /* readers wait no longer for this writer */
			wake_queue(lock, EVENT_UNLOCK, site);
			lock->__data.__writers--;
		}
		return ETIMEDOUT;
	}
	return result;
}

/* ---- all locks ---- */

static int try_lock(pthread_rwlock_t *lock, enum access_mode mode, uint64_t site)
{
	struct event event =
		rt_event(mode == ACCESS_SHARE ? EVENT_TRYRDLOCK : EVENT_TRYLOCK, site);

	if (prefers_writers(lock)) {
		rt_access_lock(&event, lock, ACCESS_ACQUIRE);
		rt_step(&event, NULL, NULL);
		return is_open(lock, mode) ? take_lock(lock, mode, site) : EBUSY;
	}
	if (share_again(lock, mode, site))
		return 0;
	event.flags = EVENT_TRY;
	rt_access_lock(&event, lock, mode);
	rt_history_object(&event);
	return finish_lock(lock, mode, rt_step(&event, NULL, NULL), EBUSY, site);
}

static int lock_or_stay(pthread_rwlock_t *lock, enum access_mode mode, const struct event *event,
			uint64_t site)
{
	struct event *did = rt_step(event, NULL, NULL);

	note_found(lock, did);
	if (!(mode == ACCESS_SHARE ? can_read : can_write)(rt_self(), lock))
		rt_history_stay(event, did);
	return finish_lock(lock, mode, did, EBUSY, site);
}

static int lock_until(pthread_rwlock_t *lock, enum access_mode mode, const struct rt_limit *limit,
		      uint64_t site)
{
	struct event event = rt_event(mode == ACCESS_SHARE ? EVENT_RDLOCK : EVENT_LOCK, site);
	struct event *did;
	rt_can *can;

	if (is_writer(lock))
		return EDEADLK;
	if (prefers_writers(lock))
		return lock_in_turn(lock, mode, limit, site);
	if (share_again(lock, mode, site))
		return 0;
	rt_access_lock(&event, lock, mode);
	/* Waiting for oneself to stop reading: whatever the others do, it never ends. */
	if (mode == ACCESS_ACQUIRE && !limit && rt_held_find(rt_self(), lock))
		event.accesses[0].mode = ACCESS_READ;
	if (!limit && rt_history_tries(&event))
		return lock_or_stay(lock, mode, &event, site);
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
	if (prefers_writers(lock)) {
		wake_queue(lock, event.kind, site);
	} else {
		const struct rt_held *held = rt_held_find(rt_self(), lock);

		if (held && held->count > 1) {
			rt_held_remove(rt_self(), lock);
			return 0;
		}
		rt_access_lock(&event, lock, writes ? ACCESS_RELEASE : ACCESS_UNSHARE);
		rt_history_object(&event);
		note_found(lock, rt_step(&event, NULL, NULL));
	}
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
	rt_access_lock(&event, lock, ACCESS_ACQUIRE);
	rt_history_object(&event);
	did = rt_step(&event, NULL, NULL);
	note_found(lock, did);
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
	rt_init_object(lock, sizeof(*lock), RT_SITE);
	rt_reads(attr, sizeof(*attr), RT_SITE);
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
	return lock_until(lock, ACCESS_SHARE, RT_LIMIT(CLOCK_REALTIME, at), RT_SITE);
}

INTERCEPT(int, pthread_rwlock_clockrdlock,
	  (pthread_rwlock_t *lock, clockid_t clock, const struct timespec *at))
{
	if (!rt_active())
		return REAL(pthread_rwlock_clockrdlock)(lock, clock, at);
	return lock_until(lock, ACCESS_SHARE, RT_LIMIT(clock, at), RT_SITE);
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
	return lock_until(lock, ACCESS_ACQUIRE, RT_LIMIT(CLOCK_REALTIME, at), RT_SITE);
}

INTERCEPT(int, pthread_rwlock_clockwrlock,
	  (pthread_rwlock_t *lock, clockid_t clock, const struct timespec *at))
{
	if (!rt_active())
		return REAL(pthread_rwlock_clockwrlock)(lock, clock, at);
	return lock_until(lock, ACCESS_ACQUIRE, RT_LIMIT(clock, at), RT_SITE);
}

INTERCEPT(int, pthread_rwlock_unlock, (pthread_rwlock_t *lock))
{
	if (!rt_active())
		return REAL(pthread_rwlock_unlock)(lock);
	return unlock(lock, RT_SITE);
}

/* cond.c: condition variables.
 *
 * Waiting is two steps: COND_WAIT releases the mutex and enters the waiting set;
 * COND_WAKE, possible with a token and a free mutex, leaves the set and takes the
 * mutex. Between the two the thread has already announced the second. If its timer
 * or a spurious wake-up takes it out of the set meanwhile, what it has announced
 * becomes a plain LOCK of the mutex.
 *
 * In a search of graphs (history.h) each of the two is split: a thread enters the set and then
 * releases the mutex, leaves the set and then takes the mutex. A signal between entering and
 * releasing is the same as one after both.
 *
 * The waiting set is in struct rt (wait.c). In the pthread_cond_t only the clock
 * that glibc noted there is used, and __g1_orig_size says that it was destroyed. */
#include "runtime/calls/sync.h"

#include "runtime/history.h"
#include "runtime/intercept.h"

enum { DESTROYED = 0x0deadc00, CLOCK_IS_MONOTONIC = 2 };

struct waiting {
	pthread_cond_t *cond;
	pthread_mutex_t *mutex;
};

static uint64_t cond_object(const pthread_cond_t *cond)
{
	return OBJECT(OBJECT_COND, rt_name(cond));
}

static bool is_destroyed(const pthread_cond_t *cond)
{
	return cond->__data.__g1_orig_size == DESTROYED;
}

static bool can_wake(struct rt_actor *actor, void *thing)
{
	const struct waiting *waiting = thing;

	return (rt_mutex_is_free(waiting->mutex) || rt_mutex_is_held_by(waiting->mutex, actor)) &&
	       (!actor->waiting_on || rt_wait_has_token(actor) || rt_cancel_due(actor));
}

void rt_cond_left(struct event *wake)
{
	uint8_t kept = 0;

	wake->kind = EVENT_LOCK;
	for (uint8_t a = 0; a < wake->access_len; a++)
		if (wake->accesses[a].mode != ACCESS_LEAVE)
			wake->accesses[kept++] = wake->accesses[a];
	wake->access_len = kept;
}

static void leave_without_token(struct rt_actor *owner)
{
	rt_wait_expire(owner);
	if (owner->announced.kind == EVENT_COND_WAKE) /* and not the step of a handler */
		rt_cond_left(&owner->announced);
}

/* Waiting without the mutex: an error of those kinds that check, misuse of others. */
static int check_mutex(const pthread_cond_t *cond, const pthread_mutex_t *mutex, uint64_t site)
{
	if (rt_mutex_is_held_by(mutex, rt_self()))
		return 0;
	if (rt_mutex_checks_owner(mutex))
		return EPERM;
	RT_MISUSE(site, cond_object(cond), "waiting on a condition without holding the mutex");
	return 0;
}

static void check_others(const pthread_cond_t *cond, const pthread_mutex_t *mutex, uint64_t site)
{
	uint64_t object = cond_object(cond);

	for (uint32_t i = 0; i < RT->actors_high; i++)
		if (RT->actors[i].waiting_on == object && RT->actors[i].waiting_with != mutex &&
		    RT->actors[i].state == RT_ANNOUNCED) {
			RT_MISUSE(site, object, "waiting on a condition with two mutexes");
			return;
		}
}

static void enter(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t site)
{
	struct event event = rt_event(EVENT_COND_WAIT, site);
	bool holds = rt_mutex_is_held_by(mutex, rt_self());
	bool frees = holds && !rt_mutex_is_nested(mutex);

	if (frees)
		rt_access_lock(&event, mutex, ACCESS_RELEASE);
	rt_access(&event, OBJECT_COND, cond, ACCESS_ENTER);
	rt_cancel_access(&event);
	rt_step(&event, NULL, NULL);
	rt_cancel_act();
	if (is_destroyed(cond))
		RT_MISUSE(site, cond_object(cond), "waiting on a condition that was destroyed");
	if (frees)
		rt_mutex_give(mutex);
	else if (holds)
		rt_mutex_nest(mutex, -1);
	check_others(cond, mutex, site);
	rt_wait_enter(rt_self(), cond_object(cond));
	rt_self()->waiting_with = mutex;
}

static int take_back(pthread_mutex_t *mutex, uint64_t site)
{
	if (!rt_mutex_is_held_by(mutex, rt_self()))
		return rt_mutex_take(mutex, site);
	rt_mutex_nest(mutex, 1);
	return 0;
}

static int finish_wait(struct rt_actor *self, struct event *did, pthread_mutex_t *mutex,
		       uint64_t site)
{
	bool timed_out = false;
	int result;

	if (self->waiting_on && rt_cancel_due(self)) {
		rt_cancel_ends(did, rt_wait_has_token(self), false);
		rt_wait_abandon(self);
	} else if (self->waiting_on) {
		rt_wait_leave(self);
	} else if (!self->woken) {
		timed_out = true;
		did->flags |= EVENT_FAILED;
	}
	result = take_back(mutex, site);
	if (!result && timed_out)
		result = ETIMEDOUT;
	did->value = (uint64_t)result;
	rt_cancel_act();
	return result;
}

static bool waits_in_graphs(const struct rt_limit *limit)
{
	struct event look = {0};

	rt_cancel_access(&look);
	return !limit && !look.access_len && rt_history_in_graphs() &&
	       !RT->channel->options.spurious;
}

static int wait_in_graphs(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t site)
{
	struct rt_actor *self = rt_self();
	struct event event = rt_event(EVENT_COND_WAIT, site);
	struct event *did;

	rt_access(&event, OBJECT_COND, cond, ACCESS_ENTER);
	rt_history_object(&event);
	rt_step(&event, NULL, NULL);
	if (is_destroyed(cond))
		RT_MISUSE(site, cond_object(cond), "waiting on a condition that was destroyed");
	check_others(cond, mutex, site);
	rt_wait_enter(self, cond_object(cond));
	self->waiting_with = mutex;
	if (rt_mutex_is_held_by(mutex, self))
		rt_mutex_unlock(mutex, site);
	rt_spurious_offer(cond_object(cond), rt_wait_expire); /* notes that none are tried */
	event = rt_event(EVENT_COND_WAKE, site);
	rt_access(&event, OBJECT_COND, cond, ACCESS_LEAVE);
	rt_history_tries(&event);
	did = rt_step(&event, NULL, NULL);
	if (!rt_wait_has_token(self))
		rt_history_stay(&event, did);
	rt_wait_leave(self);
	return rt_mutex_lock(mutex, NULL, site);
}

int rt_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct rt_limit *limit,
		 uint64_t site)
{
	struct rt_actor *self = rt_self();
	struct waiting waiting = {cond, mutex};
	struct event event = rt_event(EVENT_COND_WAKE, site);
	uint64_t deadline_ns = 0;
	uint64_t object = cond_object(cond);
	struct event *did;
	int refused;

	if (limit && !rt_deadline(limit->clock, limit->at, &deadline_ns))
		return EINVAL;
	refused = check_mutex(cond, mutex, site);
	if (refused)
		return refused;
	if (waits_in_graphs(limit))
		return wait_in_graphs(cond, mutex, site);
	enter(cond, mutex, site);
	if (limit)
		rt_timer_arm(self, deadline_ns, object, leave_without_token);
	rt_spurious_offer(object, leave_without_token);
	rt_access_object(&event, object, ACCESS_LEAVE);
	if (!rt_mutex_is_held_by(mutex, self)) /* it was locked several times, and still is */
		rt_access_lock(&event, mutex, ACCESS_ACQUIRE);
	rt_cancel_access(&event);
	did = rt_step(&event, can_wake, &waiting);
	rt_spurious_stop();
	if (limit)
		rt_timer_disarm(self);
	return finish_wait(self, did, mutex, site);
}

int rt_cond_signal(pthread_cond_t *cond, bool all, uint64_t site)
{
	struct event event = rt_event(all ? EVENT_COND_BROADCAST : EVENT_COND_SIGNAL, site);
	struct event *did;

	rt_access(&event, OBJECT_COND, cond, ACCESS_SIGNAL);
	rt_history_object(&event);
	did = rt_step(&event, NULL, NULL);
	if (is_destroyed(cond)) {
		RT_MISUSE(site, cond_object(cond), "signalling a condition that was destroyed");
		return EINVAL;
	}
	did->value = rt_wait_signal(cond_object(cond), all ? UINT32_MAX : 1);
	return 0;
}

/* Right as soon as no thread is blocked: threads that have a token may still be on their
 * way. */
int rt_cond_destroy(pthread_cond_t *cond, uint64_t site)
{
	struct event event = rt_event(EVENT_DESTROY, site);
	struct event *did;

	rt_access(&event, OBJECT_COND, cond, ACCESS_SIGNAL);
	rt_access(&event, OBJECT_COND, cond, ACCESS_LEAVE);
	rt_history_object(&event);
	did = rt_step(&event, NULL, NULL);
	if (is_destroyed(cond)) {
		RT_MISUSE(site, cond_object(cond), "destroying a condition twice");
		return EINVAL;
	}
	if (rt_wait_unsignalled(cond_object(cond))) {
		did->flags |= EVENT_FAILED;
		RT_MISUSE(site, cond_object(cond), "destroying a condition on which threads wait");
		return EBUSY;
	}
	cond->__data.__g1_orig_size = DESTROYED;
	return 0;
}

static int clock_of(const pthread_cond_t *cond)
{
	return cond->__data.__wrefs & CLOCK_IS_MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

INTERCEPT(int, pthread_cond_init, (pthread_cond_t *cond, const pthread_condattr_t *attr))
{
	rt_init_object(cond, sizeof(*cond), RT_SITE);
	rt_reads(attr, sizeof(*attr), RT_SITE);
	return REAL(pthread_cond_init)(cond, attr);
}

INTERCEPT(int, pthread_cond_destroy, (pthread_cond_t *cond))
{
	if (!rt_active())
		return REAL(pthread_cond_destroy)(cond);
	return rt_cond_destroy(cond, RT_SITE);
}

INTERCEPT(int, pthread_cond_wait, (pthread_cond_t *cond, pthread_mutex_t *mutex))
{
	if (!rt_active_quietly())
		return REAL(pthread_cond_wait)(cond, mutex);
	return rt_cond_wait(cond, mutex, NULL, RT_SITE);
}

INTERCEPT(int, pthread_cond_timedwait,
	  (pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *at))
{
	if (!rt_active())
		return REAL(pthread_cond_timedwait)(cond, mutex, at);
	return rt_cond_wait(cond, mutex, RT_LIMIT(clock_of(cond), at), RT_SITE);
}

INTERCEPT(int, pthread_cond_clockwait,
	  (pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
	   const struct timespec *at))
{
	if (!rt_active())
		return REAL(pthread_cond_clockwait)(cond, mutex, clock, at);
	return rt_cond_wait(cond, mutex, RT_LIMIT(clock, at), RT_SITE);
}

INTERCEPT(int, pthread_cond_signal, (pthread_cond_t *cond))
{
	if (!rt_active_quietly())
		return REAL(pthread_cond_signal)(cond);
	return rt_cond_signal(cond, false, RT_SITE);
}

INTERCEPT(int, pthread_cond_broadcast, (pthread_cond_t *cond))
{
	if (!rt_active_quietly())
		return REAL(pthread_cond_broadcast)(cond);
	return rt_cond_signal(cond, true, RT_SITE);
}

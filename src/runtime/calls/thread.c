/* thread.c: the life of threads. pthread_self() needs no model: it is the address of
 * the thread control block, and every fiber has one. */
#include "runtime/calls/sync.h"

#include <sched.h>
#include <stdlib.h>

#include "runtime/calls/effects.h"
#include "runtime/calls/signal.h"
#include "runtime/calls/users.h"
#include "runtime/intercept.h"
#include "runtime/memory.h"

extern char __libc_single_threaded __attribute__((weak));
int pthread_attr_getsigmask_np(const pthread_attr_t *attr, sigset_t *set) __attribute__((weak));

enum { STACK_SLACK = 65536 }; /* of the size of a stack, for what the C library keeps there */

/* Threads have stacks of ours. */
static void read_stack(const struct rt_actor *child, const pthread_attr_t *attr, uint64_t site)
{
	size_t given = (size_t)(child->stack_high - child->stack_low), size = 0;
	void *low = NULL;

	pthread_attr_getstack(attr, &low, &size);
	if ((uint64_t)low + size) /* glibc keeps the end, which is 0 if none was set */
		rt_warn_uncontrolled_at("a stack given by pthread_attr_setstack", site);
	pthread_attr_getstacksize(attr, &size);
	if (size > given + STACK_SLACK)
		rt_warn("a larger stack asked for by pthread_attr_setstacksize is not given");
	if (size + STACK_SLACK < given)
		rt_assume(ASSUMED_STACKS);
}

/* Every thread here has a pthread_t of its own. The C library gives that of a thread which is gone to a
 * new one, so a program that compares identities can take one thread for the other. */
static void free_identity(void)
{
	if (RT->identity == RT_IDENTITY_NEW)
		RT->identity = RT_IDENTITY_FREE;
}

static void read_attr(struct rt_actor *child, const pthread_attr_t *attr, uint64_t site)
{
	int state = PTHREAD_CREATE_JOINABLE, inherits = PTHREAD_INHERIT_SCHED;
	int policy = SCHED_OTHER;
	sigset_t mask;

	if (!attr)
		return;
	pthread_attr_getdetachstate(attr, &state);
	child->detached = state == PTHREAD_CREATE_DETACHED;
	if (child->detached)
		free_identity();
	read_stack(child, attr, site);
	if (pthread_attr_getsigmask_np && pthread_attr_getsigmask_np(attr, &mask) == 0)
		child->signal_mask = rt_signals_of(&mask);
	pthread_attr_getinheritsched(attr, &inherits);
	pthread_attr_getschedpolicy(attr, &policy);
	if (inherits == PTHREAD_EXPLICIT_SCHED && policy != SCHED_OTHER)
		rt_warn_uncontrolled_at("a thread with a policy that the system may refuse", site);
}

int rt_thread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
		     int (*start_c11)(void *), void *arg, uint64_t site)
{
	struct event event = rt_event(EVENT_CREATE, site);
	struct rt_actor *child;
	struct event *did;

	/* Else libstdc++ counts references without atomics. Not written twice: a page that is
	 * not written need not be put back. */
	if (&__libc_single_threaded && __libc_single_threaded)
		__libc_single_threaded = 0;
	rt_begin();
	did = rt_step(&event, NULL, NULL);
	child = rt_thread_new(rt_self());
	event_set_created(did, child->index);
	child->start = start;
	child->start_c11 = start_c11;
	child->arg = arg;
	child->created_at = site;
	child->signal_mask = rt_self()->signal_mask;
	read_attr(child, attr, site);
	if (RT->identity == RT_IDENTITY_FREE)
		RT->identity = RT_IDENTITY_GIVEN;
	*thread = (pthread_t)rt_pthread_self(child);
	/* The new thread cannot rely on it, though it may well be there. */
	rt_plain(thread, sizeof(*thread), true, site);
	return 0;
}

static struct rt_actor *find_thread(pthread_t thread, const char *verb, uint64_t site)
{
	struct rt_actor *target = rt_thread_of((uint64_t)thread);

	if (!target)
		RT_MISUSE(site, 0, "%s something that is not a thread", verb);
	return target;
}

bool rt_thread_has_ended(const struct rt_actor *actor)
{
	return actor->state == RT_FINISHED || actor->ended;
}

static bool can_finish_join(const struct rt_actor *target)
{
	return rt_thread_has_ended(target) || target->joined || target->detached;
}

static bool can_join(struct rt_actor *actor, void *thing)
{
	const struct rt_actor *target = thing;

	return can_finish_join(target) || rt_cancel_due(actor);
}

static bool can_join_or_expired(struct rt_actor *actor, void *thing)
{
	return can_join(actor, thing) || actor->timed_out;
}

/* ---- calls that are given the identity of a thread ---- */

/* A thread that was joined has no identity any more. Where one thread joins it and another one asks for it,
 * either may come first, and the question is a step. The first run that sees both, in either order, makes the
 * search begin anew. A question of the thread that joins needs no step: no other thread can change
 * its place. */
static void learn_of_identities(void)
{
	if (RT->channel->identity_is_event || !rt_running())
		return;
	RT->channel->identity_is_event = 1;
	rt_relearn();
}

/* A thread that begins to join counts: a run may end before it is done. The search for the nearest run that
 * ends well could not use runs that are the first to see both. */
static void note_joining(struct rt_actor *target)
{
	target->joiners |= rt_users_bit(rt_self()->index);
	if (target->askers & ~rt_users_bit(rt_self()->index))
		learn_of_identities();
}

bool rt_thread_is_known(struct rt_actor *target, enum event_kind kind, const char *verb, uint64_t site)
{
	struct event event = rt_event(kind, site), *did;

	if (target == rt_self())
		return true;
	target->askers |= rt_users_bit(rt_self()->index);
	if (target->joiners & ~rt_users_bit(rt_self()->index))
		learn_of_identities();
	if (RT->channel->identity_is_event && rt_running()) {
		rt_access_object(&event, rt_actor_object(target), ACCESS_JOIN);
		event.flags = EVENT_TRY;
		did = rt_step(&event, NULL, NULL);
		did->flags |= EVENT_FAILED; /* it waits for nothing */
		did->value = target->joined ? EVENT_LOOK_JOINED : EVENT_LOOK_NOT_JOINED;
	}
	if (target->joined)
		RT_MISUSE(site, 0, "%s a thread that was joined", verb);
	return !target->joined;
}

/* ---- joining ---- */

/* A thread is joined or detached once. */
static int check_joinable(const struct rt_actor *target, const char *verb, uint64_t site)
{
	uint64_t object = rt_actor_object(target);

	if (target->joined)
		RT_MISUSE(site, object, "%s a thread that was joined already", verb);
	else if (target->detached)
		RT_MISUSE(site, object, "%s a thread that is detached", verb);
	else
		return 0;
	return EINVAL;
}

static int finish_join(struct rt_actor *target, void **result, struct event *did, int failure,
		       uint64_t site)
{
	int error = check_joinable(target, "joining", site);

	if (!error && !rt_thread_has_ended(target))
		error = failure;
	did->value = (uint64_t)error;
	if (error) {
		did->flags |= EVENT_FAILED;
		return error;
	}
	/* It could not have come before the end of the other, if it would have waited. */
	if (!(did->flags & EVENT_TRY))
		event_set_feeder(did, target->index, target->ordinal - 1);
	target->joined = true;
	free_identity();
	target->joiner = rt_self()->index + 1;
	note_joining(target);
	if (result)
		*result = target->result;
	return 0;
}

int rt_thread_join(pthread_t thread, void **result, const struct rt_limit *limit, uint64_t site)
{
	struct rt_actor *target = find_thread(thread, "joining", site);
	struct event event;
	struct event *did;

	if (!target)
		return ESRCH;
	if (target == rt_self())
		return EDEADLK;
	note_joining(target);
	if (limit)
		rt_thread_observe_end();
	if (!rt_limit_arm(limit))
		return EINVAL;
	event = rt_event(EVENT_JOIN, site);
	rt_access_object(&event, rt_actor_object(target), ACCESS_JOIN);
	rt_cancel_access(&event);
	if (!limit && (event.access_len == 1 || !RT->channel->finish_is_event))
		event_set_joined(&event, target->index);
	did = rt_step(&event, limit ? can_join_or_expired : can_join, target);
	rt_limit_disarm(limit);
	if (rt_cancel_due(rt_self()))
		rt_thread_observe_end(); /* whether the other had ended makes a difference now */
	rt_cancel_ends(did, can_finish_join(target), limit && rt_self()->timed_out);
	rt_cancel_act();
	if (limit && rt_self()->timed_out)
		did->flags |= EVENT_TRY;
	return finish_join(target, result, did, ETIMEDOUT, site);
}

static int try_join(pthread_t thread, void **result, uint64_t site)
{
	struct rt_actor *target = find_thread(thread, "joining", site);
	struct event event;

	if (!target)
		return ESRCH;
	rt_thread_observe_end();
	event = rt_event(EVENT_JOIN, site);
	rt_access_object(&event, rt_actor_object(target), ACCESS_JOIN);
	event.flags = EVENT_TRY;
	return finish_join(target, result, rt_step(&event, NULL, NULL), EBUSY, site);
}

int rt_thread_detach(pthread_t thread, uint64_t site)
{
	struct rt_actor *target = find_thread(thread, "detaching", site);
	struct event event;
	int error;

	if (!target)
		return ESRCH;
	event = rt_event(EVENT_DETACH, site);
	rt_access_object(&event, rt_actor_object(target), ACCESS_JOIN);
	event.flags = EVENT_TRY;
	rt_step(&event, NULL, NULL);
	error = check_joinable(target, "detaching", site);
	if (!error) {
		target->detached = true;
		free_identity(); /* it may end at any time */
	}
	return error;
}

static bool ask_end(struct rt_actor *target, enum event_kind kind, uint64_t site)
{
	struct event event = rt_event(kind, site);
	struct event *did;

	if (target == rt_self() || !rt_running())
		return false;
	rt_thread_observe_end();
	rt_access_object(&event, rt_actor_object(target), ACCESS_JOIN);
	event.flags = EVENT_TRY;
	did = rt_step(&event, NULL, NULL);
	if (!rt_thread_has_ended(target))
		did->flags |= EVENT_FAILED;
	return rt_thread_has_ended(target);
}

bool rt_thread_asks_end(struct rt_actor *target, uint64_t site)
{
	return ask_end(target, EVENT_JOIN, site);
}

bool rt_thread_is_gone(struct rt_actor *target, enum event_kind kind, uint64_t site)
{
	if (!target->detached || !ask_end(target, kind, site))
		return false;
	RT_MISUSE(site, 0, "%s a detached thread that has ended",
		  kind == EVENT_TO_CANCEL ? "cancelling" : "signalling");
	return true;
}

void rt_thread_observe_end(void)
{
	if (RT->channel->finish_is_event || !rt_running())
		return;
	RT->channel->finish_is_event = 1;
	rt_relearn();
}

void rt_threads_left_behind(void)
{
	for (uint32_t i = 0; i < RT->actors_high && rt_self() == RT->main; i++) {
		const struct rt_actor *actor = &RT->actors[i];

		if (actor != RT->main && !actor->owner && actor->state == RT_ANNOUNCED &&
		    !actor->detached && !RT->main->ended)
			RT_MISUSE(actor->created_at, rt_actor_object(actor),
				  "main ends while a thread is running that was not joined");
	}
}

static bool is_over(struct rt_actor *actor, void *child)
{
	return ((struct rt_actor *)child)->state == RT_FINISHED;
}

static struct rt_actor *find_child(uint32_t parent, uint32_t nth)
{
	const struct actor *actors = channel_at(RT->channel, RT->channel->actors);

	for (uint32_t i = 0; i < RT->actors_high; i++)
		if (actors[i].parent == parent && actors[i].kind == ACTOR_REAL &&
		    actors[i].nth == nth)
			return &RT->actors[i];
	return NULL;
}

/* Waits for all threads below it in the spawn tree, in an order that depends on nothing
 * but the tree: how many children a thread has is known when it is over. */
static void wait_for_descendants(const struct rt_actor *of, uint64_t site)
{
	for (uint32_t nth = 1; nth <= of->children; nth++) {
		struct rt_actor *child = find_child(of->index, nth);
		struct event event = rt_event(EVENT_JOIN, site);

		if (!child || !child->state) /* a number that was left out (follower_child) */
			continue;
		event_set_joined(&event, child->index);
		rt_step(&event, is_over, child);
		wait_for_descendants(child, site);
	}
}

/* When main has called pthread_exit the program goes on without it, and exits when the
 * last thread has ended. It is main's fiber that waits for that and exits. */
void rt_thread_exit(void *result)
{
	struct rt_actor *self = rt_self();
	uint64_t site = self->announced.site;
	struct event event = rt_event(EVENT_FINISH, site);

	rt_begin();
	self->exiting = true;
	rt_mem_leave_all(self, site);
	rt_keys_destroy();
	rt_held_at_exit(self, site);
	if (self->text && self != RT->main)
		rt_heap_free(self->text, site);
	rt_mem_end_stack(self, site);
	if (RT->channel->finish_is_event) {
		rt_access_object(&event, rt_actor_object(self), ACCESS_FINISH);
		rt_step(&event, NULL, NULL);
	}
	if (self != RT->main)
		rt_thread_finish(result);
	self->result = result;
	self->ended = true;
	wait_for_descendants(self, site);
	exit(0);
}

INTERCEPT(int, pthread_create,
	  (pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg))
{
	if (!rt_active_quietly())
		return REAL(pthread_create)(thread, attr, start, arg);
	rt_plain(thread, sizeof(*thread), true, RT_SITE);
	rt_reads(attr, sizeof(*attr), RT_SITE);
	return rt_thread_create(thread, attr, start, NULL, arg, RT_SITE);
}

/* The result of a thread is left where the caller says when it has been joined. */
static int note_result(int failed, void **result, uint64_t site)
{
	if (!failed)
		rt_writes(result, sizeof(*result), site);
	return failed;
}

INTERCEPT(int, pthread_join, (pthread_t thread, void **result))
{
	if (!rt_active_quietly())
		return REAL(pthread_join)(thread, result);
	return note_result(rt_thread_join(thread, result, NULL, RT_SITE), result, RT_SITE);
}

INTERCEPT(int, pthread_tryjoin_np, (pthread_t thread, void **result))
{
	if (!rt_active())
		return REAL(pthread_tryjoin_np)(thread, result);
	return note_result(try_join(thread, result, RT_SITE), result, RT_SITE);
}

INTERCEPT(int, pthread_timedjoin_np, (pthread_t thread, void **result, const struct timespec *at))
{
	if (!rt_active())
		return REAL(pthread_timedjoin_np)(thread, result, at);
	return note_result(rt_thread_join(thread, result, RT_LIMIT(CLOCK_REALTIME, at), RT_SITE),
			   result, RT_SITE);
}

INTERCEPT(int, pthread_clockjoin_np,
	  (pthread_t thread, void **result, clockid_t clock, const struct timespec *at))
{
	if (!rt_active())
		return REAL(pthread_clockjoin_np)(thread, result, clock, at);
	return note_result(rt_thread_join(thread, result, RT_LIMIT(clock, at), RT_SITE), result,
			   RT_SITE);
}

INTERCEPT(int, pthread_detach, (pthread_t thread))
{
	if (!rt_active())
		return REAL(pthread_detach)(thread);
	return rt_thread_detach(thread, RT_SITE);
}

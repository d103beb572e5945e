/* cancel.c: cancellation. A cancel is a write to the target's cancellation state, a
 * cancellation point reads it; but one that could not have gone on otherwise takes what
 * the cancel gave (to go before it would make no sense). Programs that never cancel pay
 * nothing: only after a first pthread_cancel (or testcancel) was seen are cancellation
 * points steps that look. A thread with asynchronous cancelability may really be cancelled at
 * any instruction; here it is at its next cancellation point, too, so it is named as not
 * modelled. */
#include "runtime/calls/sync.h"

#include "runtime/intercept.h"

static uint64_t state_object(const struct rt_actor *actor)
{
	return OBJECT(OBJECT_SIGNALS, actor->index);
}

static uint64_t request_object(const struct rt_actor *actor)
{
	return OBJECT(OBJECT_SIGNALS, actor->index + 4 * RT_MAX_ACTORS);
}

bool rt_cancel_due(const struct rt_actor *actor)
{
	return actor->cancel_pending && !actor->cancel_disabled && !actor->exiting;
}

bool rt_cancel_ends_step(const struct rt_actor *actor)
{
	return rt_cancel_due(actor) && event_find_access(&actor->announced, state_object(actor));
}

static bool looks_for_cancel(const struct rt_actor *self)
{
	return rt_running_quietly() && RT->channel->cancel_is_event && !self->cancel_disabled &&
	       !self->exiting;
}

void rt_cancel_access(struct event *event)
{
	if (looks_for_cancel(rt_self()))
		rt_access_object(event, state_object(rt_self()), ACCESS_READ);
}

/* The timer of the step has not fired and was withdrawn: the two depend on each other without an
 * access, so that another access can have the room. */
static void leave_out_timer(struct event *did)
{
	uint64_t timer = rt_timer_object(rt_self());
	uint32_t kept = 0;

	for (uint32_t a = 0; a < did->access_len; a++)
		if (did->accesses[a].object != timer)
			did->accesses[kept++] = did->accesses[a];
	did->access_len = (uint8_t)kept;
}

/* Only the cancellation made the step possible: it takes what the cancel gave. The access that it
 * announced stays in its place, in a mode that conflicts with nothing there: a schedule knows the
 * step by its first object. */
static void take_request(struct event *did)
{
	const struct access taken = {.object = request_object(rt_self()), .mode = ACCESS_TAKE,
				     .announced = ACCESS_TAKE};
	uint64_t state = state_object(rt_self());

	if (did->access_len == event_room(did))
		leave_out_timer(did);
	for (uint32_t a = 0; a < did->access_len; a++) {
		if (did->accesses[a].object != state)
			continue;
		if (did->access_len == event_room(did)) {
			did->accesses[a] = taken;
			return;
		}
		did->accesses[a].mode = ACCESS_PEEK;
		did->accesses[did->access_len++] = taken;
		return;
	}
}

void rt_cancel_ends(struct event *did, bool is_open, bool is_over)
{
	if (!rt_cancel_due(rt_self()))
		return;
	did->flags |= EVENT_FAILED;
	for (uint32_t a = 0; a < did->access_len; a++)
		if (did->accesses[a].mode == ACCESS_TAKE) {
			did->accesses[a].mode = ACCESS_PEEK;
			did->flags |= is_open ? EVENT_WAS_OPEN : 0;
		}
	if (!is_open && !is_over)
		take_request(did);
}

void rt_cancel_act(void)
{
	if (rt_cancel_due(rt_self()))
		rt_unwind(PTHREAD_CANCELED);
}

void rt_cancel_point(uint64_t site)
{
	struct event event;
	struct event *did;

	if (!rt_running() || !looks_for_cancel(rt_self()))
		return;
	event = rt_event(EVENT_CANCELLED, site);
	rt_cancel_access(&event);
	did = rt_step(&event, NULL, NULL);
	if (!rt_cancel_due(rt_self()))
		did->flags |= EVENT_FAILED;
	rt_cancel_act();
}

static void learn_to_look(void)
{
	if (RT->channel->cancel_is_event || !rt_running())
		return;
	RT->channel->cancel_is_event = 1;
	rt_relearn();
}

static int cancel(pthread_t thread, uint64_t site)
{
	struct rt_actor *target = rt_thread_of((uint64_t)thread);
	struct event event = rt_event(EVENT_CANCEL, site);
	struct event *did;

	if (!target) {
		RT_MISUSE(site, 0, "cancelling something that is not a thread");
		return ESRCH;
	}
	if (!rt_thread_is_known(target, EVENT_TO_CANCEL, "cancelling", site) ||
	    rt_thread_is_gone(target, EVENT_TO_CANCEL, site))
		return ESRCH;
	rt_begin();
	learn_to_look();
	if (target->cancel_async)
		rt_warn_uncontrolled("asynchronous cancellation");
	rt_access_object(&event, state_object(target), ACCESS_WRITE);
	rt_access_object(&event, request_object(target), ACCESS_GIVE);
	did = rt_step(&event, NULL, NULL);
	if (target->cancel_pending)
		did->flags |= EVENT_WAS_OPEN; /* the first cancel let the target go on */
	target->cancel_pending = true;
	return 0;
}

static int set_state(int state, int *old)
{
	struct rt_actor *self = rt_self();

	if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
		return EINVAL;
	if (old)
		*old = self->cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
	self->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
	return 0;
}

static int set_type(int type, int *old)
{
	struct rt_actor *self = rt_self();

	if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
		return EINVAL;
	if (old)
		*old = self->cancel_async ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
	self->cancel_async = type == PTHREAD_CANCEL_ASYNCHRONOUS;
	return 0;
}

INTERCEPT(int, pthread_cancel, (pthread_t thread))
{
	if (!rt_active())
		return REAL(pthread_cancel)(thread);
	return cancel(thread, RT_SITE);
}

INTERCEPT(int, pthread_setcancelstate, (int state, int *old))
{
	int result;

	if (!rt_active())
		return REAL(pthread_setcancelstate)(state, old);
	rt_writes(old, sizeof(*old), RT_SITE);
	result = set_state(state, old);
	if (rt_self()->cancel_async)
		rt_cancel_point(RT_SITE);
	return result;
}

INTERCEPT(int, pthread_setcanceltype, (int type, int *old))
{
	int result;

	if (!rt_active())
		return REAL(pthread_setcanceltype)(type, old);
	rt_writes(old, sizeof(*old), RT_SITE);
	result = set_type(type, old);
	if (rt_self()->cancel_async) {
		if (RT->channel->cancel_is_event)
			rt_warn_uncontrolled("asynchronous cancellation");
		rt_cancel_point(RT_SITE);
	}
	return result;
}

INTERCEPT(void, pthread_testcancel, (void))
{
	if (!rt_active()) {
		REAL(pthread_testcancel)();
		return;
	}
	learn_to_look(); /* a loop of nothing else would not let the canceller go */
	rt_cancel_point(RT_SITE);
}

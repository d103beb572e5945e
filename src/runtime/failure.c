#include "runtime/failure.h"

static bool can_make_fail(struct rt_actor *virtual, void *thing)
{
	return RT->spurious_left && !virtual->owner->woken;
}

static void make_fail(struct rt_actor *virtual, struct event *did)
{
	RT->spurious_left--;
	virtual->state = RT_FREE;
	virtual->owner->woken = true;
}

/* The number of failures is limited for all together, so one can be the end of another. A failure
 * is offered also when none is left, because that depends on steps that this one does not. */
struct rt_actor *rt_failure_offer(struct event *event)
{
	struct rt_actor *self = rt_self();
	struct rt_actor *virtual;

	self->woken = false;
	if (!RT->channel->options.spurious || event->access_len == event_room(event))
		return NULL;
	rt_access_object(event, rt_timer_object(self), ACCESS_LEAVE);
	virtual = rt_virtual(self, ACTOR_SPURIOUS, 2);
	virtual->announced = rt_event(EVENT_SPURIOUS, event->site);
	virtual->announced.actor = virtual->index;
	virtual->announced.ordinal = virtual->ordinal;
	event_set_owner(&virtual->announced, self->index);
	rt_access_object(&virtual->announced, rt_timer_object(self), ACCESS_EXPIRE);
	rt_access_object(&virtual->announced, rt_spurious_object(), ACCESS_WRITE);
	virtual->can = can_make_fail;
	virtual->act = make_fail;
	virtual->state = RT_ANNOUNCED;
	self->may_fail = true;
	return virtual;
}

bool rt_failure_came(struct rt_actor *virtual)
{
	bool came = virtual && rt_self()->woken;

	rt_self()->woken = rt_self()->may_fail = false;
	if (virtual && virtual->state == RT_ANNOUNCED)
		rt_withdraw(virtual);
	return came;
}

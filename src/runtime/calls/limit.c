/* limit.c: time limits of blocking calls, and spurious wake-ups. */
#include "runtime/calls/signal.h"
#include "runtime/calls/sync.h"
#include "runtime/sched.h"

bool rt_limit_arm(const struct rt_limit *limit)
{
	struct rt_actor *self = rt_self();
	uint64_t deadline_ns;

	if (!limit)
		return true;
	if (!rt_deadline(limit->clock, limit->at, &deadline_ns))
		return false;
	rt_timer_arm(self, deadline_ns, 0, NULL);
	return true;
}

void rt_limit_disarm(const struct rt_limit *limit)
{
	if (limit)
		rt_timer_disarm(rt_self());
}

static bool can_wake_spuriously(struct rt_actor *virtual, void *thing)
{
	return RT->spurious_left && virtual->owner->waiting_on &&
	       rt_wait_may_expire(virtual->owner);
}

static void wake_spuriously(struct rt_actor *virtual, struct event *did)
{
	void (*expire)(struct rt_actor *) = (void (*)(struct rt_actor *))virtual->thing;

	RT->spurious_left--;
	virtual->state = RT_FREE;
	virtual->owner->woken = true;
	rt_withdraw_wait(virtual->owner);
	expire(virtual->owner);
}

/* The budget is shared, so one spurious wake-up can be the end of another. */
void rt_spurious_offer(uint64_t object, void (*expire)(struct rt_actor *owner))
{
	struct rt_actor *self = rt_self();
	struct rt_actor *virtual;

	if (!RT->channel->options.spurious) {
		RT->channel->assumed |= ASSUMED_NO_SPURIOUS;
		return;
	}
	virtual = rt_virtual(self, ACTOR_SPURIOUS, 1);
	virtual->announced = rt_event(EVENT_SPURIOUS, self->announced.site);
	virtual->announced.actor = virtual->index;
	virtual->announced.ordinal = virtual->ordinal;
	event_set_owner(&virtual->announced, self->index);
	rt_access_object(&virtual->announced, object, ACCESS_EXPIRE);
	rt_access_object(&virtual->announced, rt_spurious_object(), ACCESS_WRITE);
	/* A timer of the same wait ends the wait, too. */
	rt_access_object(&virtual->announced, rt_timer_object(self), ACCESS_MISS);
	virtual->can = can_wake_spuriously;
	virtual->act = wake_spuriously;
	virtual->thing = (void *)expire;
	virtual->state = RT_ANNOUNCED;
}

void rt_spurious_stop(void)
{
	struct rt_actor *virtual;

	if (!RT->channel->options.spurious)
		return;
	virtual = rt_virtual(rt_self(), ACTOR_SPURIOUS, 1);
	if (virtual->state == RT_ANNOUNCED)
		rt_withdraw(virtual);
}

/* By a cancellation or a signal that does not depend on the step that took the wait out of its set. A wait
 * that is not a cancellation point stays as it is.
 *     A: wait c     spurious wake-up of A     B: cancel A     A's wait may end by that before the wake-up
 * Test: tests/property/found/cancelled_behind_spurious.program, interrupted_behind_timer.program,
 * futex_beside_cancel.program. */
static bool is_possible_now(struct rt_actor *actor)
{
	bool is_met = rt_cancel_ends_step(actor) || (rt_signals_pending(actor) & ~actor->signal_mask);

	return actor->state == RT_ANNOUNCED && is_met && actor->can(actor, actor->thing);
}

void rt_wait_note_opened(void)
{
	for (uint32_t i = 0; i < RT->actors_high; i++)
		if (RT->actors[i].left && is_possible_now(&RT->actors[i]))
			rt_withdraw_late(&RT->actors[i]);
}

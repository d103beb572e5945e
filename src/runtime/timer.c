#include "runtime/timer.h"

#include "runtime/turn.h"

enum { NS_PER_MS = 1000000, FIRST_POLL_NS = NS_PER_MS };

static bool is_armed(const struct rt_actor *timer)
{
	return timer->owner && timer->state == RT_ANNOUNCED && timer->deadline_ns;
}

/* Could it fire, if its turn came? */
static bool is_eligible(const struct rt_actor *timer)
{
	return is_armed(timer) &&
	       (!timer->owner->waiting_on || rt_wait_may_expire(timer->owner));
}

static bool can_fire(struct rt_actor *timer, void *thing)
{
	if (!is_eligible(timer))
		return false;
	for (uint32_t i = 0; i < RT->actors_high; i++) {
		const struct rt_actor *other = &RT->actors[i];

		if (other != timer && !other->idle_only && other->act == timer->act &&
		    other->deadline_ns < timer->deadline_ns && is_eligible(other))
			return timer->idle_only;
	}
	return true;
}

void rt_clock_goes_to(uint64_t ns)
{
	if (RT->now_ns < ns)
		RT->now_ns = ns;
	if (RT->alarm_ns && RT->alarm_ns < RT->now_ns)
		rt_warn_uncontrolled("an alarm that rings before a sleep ends");
}

static void fire(struct rt_actor *timer, struct event *did)
{
	struct rt_actor *owner = timer->owner;

	rt_clock_goes_to(timer->deadline_ns);
	timer->state = RT_FREE;
	timer->deadline_ns = 0;
	owner->deadline_ns = 0;
	owner->timed_out = true;
	owner->freed = owner->waiting_on || owner->spinning;
	if (owner->waiting_on)
		rt_withdraw_wait(owner);
	if (owner->expire)
		owner->expire(owner);
}

bool rt_timer_pass(struct rt_actor *actor)
{
	if (!actor->timer || !is_armed(actor->timer))
		return false;
	fire(actor->timer, NULL);
	return true;
}

/* Arming and disarming happen in the stretch after the last event, which is the current
 * actor's: it has read the clock. A step that has no room for that (a wait on a condition, by a thread
 * that looks for its cancellation and for a signal) would seem independent of the timers of others. */
static void note_clock_read(void)
{
	struct event *last;

	if (RT->phase != RT_RUNNING || !RT->channel->events_len)
		return;
	last = &RT->events[RT->channel->events_len - 1];
	for (uint32_t i = 0; i < last->access_len; i++)
		if (last->accesses[i].object == OBJECT(OBJECT_CLOCK, 0))
			return;
	if (last->access_len < event_room(last))
		rt_clock_access(last, ACCESS_READ);
	else if (!last->is_weak) /* a search of graphs ends with the step of a timer */
		rt_warn_uncontrolled_at("a time limit of a step on several objects", last->site);
}

bool rt_timer_is_short(uint64_t deadline_ns)
{
	uint64_t limit_ms = RT->channel->options.timeouts_ms;
	uint64_t ns = deadline_ns > RT->now_ns ? deadline_ns - RT->now_ns : 0;

	return limit_ms == UINT64_MAX || ns / NS_PER_MS < limit_ms;
}

void rt_timer_arm(struct rt_actor *actor, uint64_t deadline_ns, uint64_t object,
		  void (*expire)(struct rt_actor *owner))
{
	struct rt_actor *timer = rt_virtual(actor, ACTOR_TIMER, 1);

	timer->idle_only = !rt_timer_is_short(deadline_ns);
	timer->was_due = false;
	if (timer->idle_only)
		RT->channel->assumed |= ASSUMED_IDLE_TIMERS;
	timer->announced = rt_event(timer->idle_only ? EVENT_IDLE_TIMER : EVENT_TIMER,
				    actor->announced.site);
	timer->announced.actor = timer->index;
	timer->announced.ordinal = timer->ordinal;
	timer->announced.deadline = timer->idle_only ? 0 : DEADLINE_UNTOLD;
	event_set_owner(&timer->announced, actor->index);
	rt_clock_access(&timer->announced, ACCESS_WRITE);
	rt_access_object(&timer->announced, rt_timer_object(actor), ACCESS_EXPIRE);
	if (object)
		rt_access_object(&timer->announced, object, ACCESS_EXPIRE);
	timer->can = can_fire;
	timer->thing = NULL;
	timer->act = fire;
	timer->deadline_ns = deadline_ns ? deadline_ns : 1;
	timer->state = RT_ANNOUNCED;
	actor->timer = timer;
	actor->deadline_ns = timer->deadline_ns;
	actor->expire = expire;
	actor->timed_out = false;
	note_clock_read();
}

void rt_timer_disarm(struct rt_actor *actor)
{
	struct rt_actor *timer = actor->timer;

	actor->deadline_ns = 0;
	actor->expire = NULL;
	if (!timer || timer->state != RT_ANNOUNCED)
		return;
	rt_withdraw(timer);
	timer->deadline_ns = 0;
	note_clock_read();
}

void rt_timer_poll(struct rt_actor *actor)
{
	actor->poll_ns = actor->poll_ns ? actor->poll_ns * 2 : FIRST_POLL_NS;
	rt_timer_arm(actor, RT->now_ns + actor->poll_ns, 0, rt_turn_release);
}

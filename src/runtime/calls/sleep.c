/* sleep.c: sleeping and looking at the clock, as steps (timer.h has the virtual time itself). A sleep
 * is a cancellation point, which is why it stands among the calls. */
#include "runtime/calls/effects.h"
#include "runtime/calls/sync.h"
#include "runtime/history.h"
#include "runtime/timer.h"

static bool can_wake_up(struct rt_actor *actor, void *thing)
{
	return actor->timed_out || rt_cancel_due(actor);
}

/* Two steps: going to sleep looks at the clock, waking up needs the timer.
 *
 * In a search of graphs (history.h) a sleep that may end any time is not a step. It orders nothing,
 * and the other threads may do any number of steps before the next one of this thread anyhow.
 * A step that looks at the clock, at a timer or at a cancellation ends such a search. */
static void sleep_in_run(uint64_t until_ns, uint64_t ns, uint64_t site)
{
	struct rt_actor *self = rt_self();
	struct event event = rt_event(EVENT_SLEEP, site);
	struct event *did;

	if (ns)
		until_ns = RT->now_ns + ns;
	if (rt_history_in_graphs() && rt_timer_is_short(until_ns) &&
	    memory_is_weak(RT->channel->options.memory))
		return;
	rt_clock_access(&event, ACCESS_READ);
	rt_step(&event, NULL, NULL);
	rt_timer_arm(self, ns ? RT->now_ns + ns : until_ns, 0, NULL);
	event = rt_event(EVENT_SLEEP, site);
	rt_access_object(&event, rt_timer_object(self), ACCESS_LEAVE);
	rt_cancel_access(&event);
	did = rt_step(&event, can_wake_up, NULL);
	rt_timer_disarm(self);
	rt_cancel_ends(did, false, self->timed_out);
	rt_cancel_act();
}

void rt_timer_sleep(uint64_t ns, uint64_t site)
{
	if (!ns)
		return;
	if (RT->phase == RT_ALONE)
		rt_clock_goes_to(RT->now_ns + ns);
	else
		sleep_in_run(0, ns, site);
}

void rt_timer_sleep_until(uint64_t deadline_ns, uint64_t site)
{
	if (RT->phase == RT_RUNNING)
		sleep_in_run(deadline_ns, 0, site);
	else
		rt_clock_goes_to(deadline_ns);
}

uint64_t rt_timer_now(uint64_t site)
{
	struct event event = rt_event(EVENT_CLOCK, site);

	rt_assume(ASSUMED_CLOCK);
	if (RT->phase == RT_RUNNING) {
		rt_clock_access(&event, ACCESS_READ);
		rt_step(&event, NULL, NULL)->value = RT->now_ns;
	}
	return RT->now_ns;
}

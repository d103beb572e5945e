/* order_race.c: which of the events before an event race with it.
 *
 * order.c collects the candidates: earlier events on the same objects, latest first. Each of them
 * is related to the event (dependence.h), and a pair that depends is a race if nothing lies
 * between the two and the later one could have gone first. The last question needs more of the
 * trace than the pair: enabled sets, and the doors of locks.
 */
#include <string.h>

#include "base/bitset.h"
#include "core/dependence.h"
#include "core/order_parts.h"

/* The relation of e to a later event or ghost number i. */
static enum dependence relate(const struct order *order, const struct event *e, uint32_t i)
{
	struct dependence_view f = {.event = order_event(order, i),
				    .has_run = i < order->events_len,
				    .observers = order->observers};

	return dependence_of(e, &f);
}

/* Was `event` already announced before event i? */
static bool was_announced_before(const struct order *order, const struct event *event, uint32_t i)
{
	uint32_t previous = order->last_events.items[event->actor];

	return previous == ORDER_NO_EVENT || previous < i;
}

/* And was its actor enabled? */
static bool was_possible_before(const struct order *order, const struct event *event, uint32_t i)
{
	return was_announced_before(order, event, i) &&
	       bitset_has(trace_enabled(order->trace, i), event->actor);
}

/* Is something left in the queue if event `first`, and what needs it, does not happen? The candidates do
 * not tell: they end with the last event that took from the queue.
 *     A: kill everybody     B: sigwait (first)     B: cancel C
 *     C: sigwait, f, which the cancellation ended. Before B's sigwait it takes A's signal.
 * A semaphore is counted (event_takes_one): it began with at least as much as the run shows to have been taken
 * before it was given. Of other queues only an end that gave is known to leave something.
 * Test: tests/property/found/cancelled_sigwait_behind_taker.program. */
static bool is_filled_without(const struct order *order, const struct event *event, uint32_t first,
			      uint32_t queue)
{
	const struct event *e = &order->trace->events[first];
	uint32_t at = order->objects.items[queue].last;
	int32_t all = 0, most = 0, left = 0;
	bool is_last = true;

	for (; at != ORDER_NO_EVENT; at = order->accesses.items[at].prev) {
		const struct order_access *access = &order->accesses.items[at];
		int32_t change = access->mode == ACCESS_GIVE ? 1 : -1;

		if (access->mode != ACCESS_GIVE && access->mode != ACCESS_TAKE)
			continue;
		all += change;
		most = all > most ? all : most;
		if (access->event == first || order_clock_has(order_clock(order, access->event), e))
			continue;
		if (is_last && (change > 0 || !event_takes_one(event)))
			return change > 0;
		is_last = false;
		left += change;
	}
	return event_takes_one(event) && most - all + left > 0;
}

/* Would the event find something in a queue that it waits for? Something is not enough for an event that
 * needs all (event_needs_all), and `first` may have kept the rest back. */
static bool is_fed_without(const struct order *order, const struct event *event, uint32_t first)
{
	if (event_needs_all(event))
		return false;
	for (uint32_t a = 0; a < event->access_len; a++)
		if (event->accesses[a].announced == ACCESS_TAKE &&
		    is_filled_without(order, event, first, order->touched[a]))
			return true;
	return false;
}

/* Does another signal let the event go on without event `first`? It also does if the event waits for
 * something else and has met a signal. */
static bool has_other_signal(const struct order *order, const struct event *event, uint32_t first)
{
	return (event_waits_for_any(event) || event_is_interrupted(event)) &&
	       is_fed_without(order, event, first);
}

/* Did other actors empty a queue that the event waits for, since event `first` and without needing
 * that one? They stay before the event if it goes before `first`, where it was possible only with what
 * they took. The run in which the event comes before the taker shows the race with `first`.
 *     A: write to pipe      A: cancel C (first)
 *     B: read from pipe     C: read, f, which the cancellation ended
 * Test: tests/property/found/cancelled_read_behind_reader.program. */
static bool is_emptied_since(const struct order *order, const struct event *event, uint32_t first)
{
	const struct event *e = &order->trace->events[first];

	for (uint32_t a = 0; a < event->access_len; a++) {
		uint32_t at = order->objects.items[order->touched[a]].last;

		if (event->accesses[a].announced != ACCESS_TAKE || event->accesses[a].mode == ACCESS_TAKE)
			continue;
		for (; at != ORDER_NO_EVENT; at = order->accesses.items[at].prev) {
			const struct order_access *access = &order->accesses.items[at];

			if (access->event <= first)
				break;
			if (access->mode == ACCESS_TAKE &&
			    !order_clock_has(order_clock(order, access->event), e))
				return true;
		}
	}
	return false;
}

/* Can the wait end without the door that event `first` opened, as by being cancelled? */
static bool needs_no_door(const struct order *order, const struct event *event, uint32_t first)
{
	return (was_possible_before(order, event, first) && !is_emptied_since(order, event, first)) ||
	       has_other_signal(order, event, first);
}

/* The event that closed the door of the object which access number `opener` opened for `second`: an
 * event of the same actor before it, or ORDER_NO_EVENT. */
static uint32_t find_closer(const struct order *order, uint32_t opener, uint32_t second,
			    uint64_t object)
{
	const struct order_access *access = &order->accesses.items[opener];
	uint32_t actor = order->trace->events[access->event].actor;

	for (uint32_t at = access->prev; at != ORDER_NO_EVENT; at = access->prev) {
		const struct event *a;

		access = &order->accesses.items[at];
		a = &order->trace->events[access->event];
		if (a->actor == actor && event_closes_door(a, order_event(order, second), object))
			return access->event;
	}
	return ORDER_NO_EVENT;
}

/* The same among the candidates, of which number `opener` opened the door. */
static uint32_t find_closing_candidate(const struct order *order, size_t opener, uint32_t second,
				       uint64_t object)
{
	const struct event *r = &order->trace->events[order->candidates.items[opener]];

	for (size_t c = opener + 1; c < order->candidates.len; c++) {
		const struct event *a = &order->trace->events[order->candidates.items[c]];

		if (a->actor == r->actor &&
		    event_closes_door(a, order_event(order, second), object))
			return order->candidates.items[c];
	}
	return ORDER_NO_EVENT;
}

/* Is a lock that candidate number `c` took given back before the end of the run? */
static bool is_given_back(const struct order *order, uint32_t second, size_t c)
{
	const struct event *a = &order->trace->events[order->candidates.items[c]];

	for (size_t r = 0; r < c; r++) {
		const struct event *opener = &order->trace->events[order->candidates.items[r]];

		if (opener->actor == a->actor &&
		    event_share_object(a, opener, order_event(order, second)) &&
		    relate(order, opener, second) == DEPENDENCE_OPENS)
			return true;
	}
	return false;
}

/* Event f waits for a lock at the end of the run. Would it also wait if it went before candidate
 * number `at`, because a holder of the lock took it without needing that candidate? If several
 * actors share the lock, f can go only before the first of them, and then before all. */
static bool is_kept_out(const struct order *order, uint32_t second, size_t at)
{
	const struct event *e = &order->trace->events[order->candidates.items[at]];
	const struct event *f = order_event(order, second);
	size_t from = event_locks_out(e, f) ? at + 1 : 0;

	for (size_t c = from; c < order->candidates.len; c++) {
		uint32_t holder = order->candidates.items[c];

		if (event_locks_out(&order->trace->events[holder], f) &&
		    !order_clock_has(order_clock(order, holder), e) &&
		    !is_given_back(order, second, c))
			return true;
	}
	return false;
}

/* The object whose door `opener` opened for `second`, or 0. An opener that does not need event `first` does
 * not count: it stays where it is. */
static uint64_t find_door(const struct order *order, uint32_t second, uint32_t first,
			  uint32_t opener)
{
	if (!order_clock_has(order_clock(order, opener), &order->trace->events[first]))
		return 0;
	return event_opened_door(&order->trace->events[opener], order_event(order, second));
}

/* Does the door that event `closer` closed stay closed for `second` if that goes before `first`? If the
 * step before `second` came behind `first`, the enabled sets do not tell:
 *     A: post s     A: trywait s (first)     A: cancel C
 *     C: wait t, until its timer fires     C: wait s, f, which the cancellation ended
 * Test: tests/property/found/wait_behind_own_timer.program, wait_behind_own_timer_fed.program. */
static bool is_shut(const struct order *order, uint32_t second, uint32_t first, uint32_t closer)
{
	const struct event *f = order_event(order, second);

	if (closer != ORDER_NO_EVENT)
		return !order_clock_has(order_clock(order, closer), &order->trace->events[first]);
	return was_announced_before(order, f, first) ? !was_possible_before(order, f, first)
						     : !is_fed_without(order, f, first);
}

/* If f goes before candidate number `at`, all events that depend on the candidate come later. One
 * of them may be the event that opens a door for f, while the event that closed the door stays
 * before f: then f cannot go there. Examples: the unlock of the mutex that a waking thread locks
 * again, the unlock of one of several readers. The door of a semaphore or a pipe is closed by any
 * actor that takes from it; there f can go if it was possible before the candidate:
 *     A: post s      wait t     post s
 *     B: wait s      post t                the candidate
 *     C:                          wait s   f, which the second post opened, could take the first
 * Test: litmus sem_taken_by_other. */
static bool is_shut_by_candidate(const struct order *order, uint32_t second, size_t at)
{
	uint32_t first = order->candidates.items[at];

	for (size_t c = 0; c < at; c++) {
		uint64_t door = find_door(order, second, first, order->candidates.items[c]);

		if (door && is_shut(order, second, first,
				    find_closing_candidate(order, c, second, door)))
			return true;
	}
	return false;
}

/* The same for an event that met a signal and has not touched the object: its door may have been shut
 * and opened again since, and then the candidates do not have all of it.
 *     A: lock m     kill B (first)     unlock m     lock m     unlock m
 *     B: lock m     f, which met the signal. Before the kill it would wait for the first unlock.
 * Test: tests/property/found/locked_again_behind_signal.program. */
static bool is_shut_by_any(const struct order *order, uint32_t second, uint32_t first,
			   uint32_t object)
{
	uint32_t at = order->objects.items[object].last;

	for (; at != ORDER_NO_EVENT; at = order->accesses.items[at].prev) {
		uint32_t opener = order->accesses.items[at].event;
		uint64_t door;

		if (opener <= first)
			return false;
		door = find_door(order, second, first, opener);
		if (door && is_shut(order, second, first, find_closer(order, at, second, door)))
			return true;
	}
	return false;
}

/* Did a cancellation that does not need event `first` let the event go on? */
static bool is_cancelled_without(const struct order *order, const struct event *event, uint32_t first)
{
	const struct event *e = &order->trace->events[first];

	for (uint32_t a = 0; event_was_cancelled(event) && a < event->access_len; a++) {
		uint32_t at = order->objects.items[order->touched[a]].last;

		for (; at != ORDER_NO_EVENT; at = order->accesses.items[at].prev) {
			uint32_t other = order->accesses.items[at].event;

			if (event_cancels(&order->trace->events[other], event) &&
			    !order_clock_has(order_clock(order, other), e))
				return true;
		}
	}
	return false;
}

/* An actor leaves a waiting set, or met a signal when it was to leave. Do all that woke it come later if
 * it goes before event `first`?
 *     A: wait c
 *     B: kill A (first), broadcast c
 *     A: wakes up, f, which met the signal. Before the kill it would wait for the broadcast.
 * It can do without them if it had been cancelled, before that event or independently of it.
 * Test: tests/property/found/woken_behind_signal.program, cancelled_wait_that_was_woken.program,
 * cancelled_wait_before_signal.program, cancelled_wait_before_lock.program. */
static bool wakes_later(const struct order *order, uint32_t second, uint32_t first, uint32_t object)
{
	uint32_t entered = order->last_events.items[order_event(order, second)->actor];
	uint32_t at = order->objects.items[object].last;
	bool was_woken = false;

	if (was_possible_before(order, order_event(order, second), first) ||
	    is_cancelled_without(order, order_event(order, second), first))
		return false;
	for (; at != ORDER_NO_EVENT; at = order->accesses.items[at].prev) {
		const struct order_access *access = &order->accesses.items[at];

		if (entered == ORDER_NO_EVENT || access->event <= entered)
			break;
		if (access->mode != ACCESS_SIGNAL)
			continue;
		if (!order_clock_has(order_clock(order, access->event), &order->trace->events[first]))
			return false;
		was_woken = true;
	}
	return was_woken;
}

/* f waits for a value, and shares something else with event `first`: the clock, if a time limit begins behind
 * f. Does the write that let f go come later if f goes before `first`?
 *     A: wait s, until its timer fires (first)     A: x = 2
 *     B: while (x < 2);                            f; then B waits with a time limit
 * A write of its own variable that races with f is the one before which f had its value.
 * Test: tests/property/found/await_behind_timer.program. */
static bool gets_value_later(const struct order *order, const struct event *f, uint32_t first)
{
	const struct event *e = &order->trace->events[first];
	uint32_t at = order->objects.items[order->touched[0]].last;

	if (event_find_access(e, f->accesses[0].object))
		return false;
	for (; at != ORDER_NO_EVENT; at = order->accesses.items[at].prev) {
		const struct order_access *access = &order->accesses.items[at];

		if (access_mode_opens(access->mode, ACCESS_AWAIT))
			return order_clock_has(order_clock(order, access->event), e);
	}
	return false;
}

/* Would f, before candidate number `at`, have to wait for something that comes later then? */
static bool shuts_door(const struct order *order, uint32_t second, size_t at)
{
	const struct event *f = order_event(order, second);
	uint32_t first = order->candidates.items[at];

	if (event_waits_for_value(f))
		return gets_value_later(order, f, first);
	if (has_other_signal(order, f, first))
		return false;
	if ((f->flags & EVENT_BLOCKED) && is_kept_out(order, second, at))
		return true;
	for (uint32_t a = 0; a < f->access_len; a++) {
		uint32_t mode = event_mode_of_wait(f, a);

		if (access_family(mode) == ACCESS_FAMILY_MEMORY)
			continue;
		if (mode == ACCESS_LEAVE && wakes_later(order, second, first, order->touched[a]))
			return true;
		if (mode != ACCESS_LEAVE && access_is_interrupted(&f->accesses[a]) &&
		    is_shut_by_any(order, second, first, order->touched[a]))
			return true;
	}
	return is_shut_by_candidate(order, second, at);
}

/* Is the event a timer that was armed before event i? Whether it could have gone first is in the
 * enabled sets of the trace. */
static bool is_standing_timer(const struct order *order, const struct event *event, uint32_t i)
{
	uint32_t armed;

	if (event_owner(event) >= order->width)
		return false;
	armed = order->last_events.items[event_owner(event)];
	return armed == ORDER_NO_EVENT || armed < i;
}

/* Was timer i made possible behind event `first`, by an event that does not need that one? Then the timer can go
 * before `first`, behind the event that made it possible.
 *     P: monitor nobody, receive after 5       Q: group_leader(P, P) (first)
 *     P's timer fires behind the delivery of the DOWN, which does not need Q
 * Test: gaps timer_behind_own_down. */
static bool is_opened_without(const struct order *order, uint32_t i, uint32_t first)
{
	uint32_t actor = order_event(order, i)->actor;

	for (uint32_t at = order_place(order, i); --at > first;)
		if (!bitset_has(trace_enabled(order->trace, at), actor))
			return !order_clock_has(order_clock(order, at), &order->trace->events[first]);
	return false;
}

/* Of two messages: the event that took the first one, or that looked at both. */
static uint32_t find_taker(const struct order *order, uint32_t first, uint32_t second,
			   uint64_t mailbox)
{
	const struct event *e = &order->trace->events[first];

	for (uint32_t o = first + 1; o < order->events_len; o++) {
		const struct event *event = &order->trace->events[o];

		if (event_takes_from(event, e, mailbox))
			return o;
		if (o > second && event_looks_into(event, mailbox))
			return o;
	}
	return order->events_len;
}

uint32_t order_observer(const struct order *order, uint32_t first, uint32_t second)
{
	struct dependence_view f = {.event = order_event(order, second), .has_run = true,
				    .observers = order->observers};
	uint64_t mailbox;

	if (second >= order->events_len || order->observers == OBSERVERS_NONE ||
	    !event_sends(f.event))
		return ORDER_NO_EVENT;
	mailbox = dependence_common_mailbox(&order->trace->events[first], &f);
	return mailbox ? find_taker(order, first, second, mailbox) : ORDER_NO_EVENT;
}

/* Is e in the past already? Then it is not a race and adds nothing, unless it is the feeder. */
static bool adds_nothing(const struct event *event, const struct event *e, const uint32_t *past)
{
	return e->actor == event->actor ||
	       (order_clock_has(past, e) && !event_is_fed_by(event, e));
}

bool order_can_do_without_aid(const struct order *order, const struct event *event)
{
	uint32_t aid = order->aids.items[event->actor];
	uint32_t last = order->last_events.items[event->actor];
	const struct event *timer;

	if (aid == ORDER_NO_EVENT)
		return false;
	timer = &order->trace->events[aid];
	return event_owner(timer) == event->actor
		       ? event->unaided
		       : event_is_last_resort(timer) && (last == ORDER_NO_EVENT || last < aid);
}

/* Completes the clock of event i and adds its races. `past` begins with the program order
 * of i and grows; candidates come latest first, so one that is already in the
 * past is not a race: another event lies between.
 *
 * An event that was fed by a signal cannot go before the events that the signal needed, unless it
 * had another signal then, which another actor took; whether it could go is in the enabled
 * sets of the trace. An event that was never fed (a ghost) can race in that way only, and so can a
 * timer, because other actors may have kept it from firing.
 *
 * Timers that fire in the order of their deadlines keep each other back, which no access shows.
 * Such a timer may not be able to go before its last rival and yet be able to go before an earlier
 * one (the step that armed the timer that is due first). So all its rivals race with it. */
void order_find_races(struct order *order, uint32_t i, bool want_races)
{
	const struct event *event = order_event(order, i);
	uint32_t *clock = order_clock(order, i);
	uint32_t *past = order->scratch.items;
	const uint32_t *feed = NULL;
	bool is_alarm = event->deadline != 0;

	vclock_copy(past, clock, order->width);
	for (size_t c = 0; c < order->candidates.len; c++) {
		uint32_t other = order->candidates.items[c];
		const struct event *e = &order->trace->events[other];
		enum dependence relation;
		bool needed, is_race;

		/* Before a timer of last resort no step was possible: it races with none. */
		if (adds_nothing(event, e, past) || event_is_last_resort(e))
			continue;
		relation = relate(order, e, i);
		if (relation == DEPENDENCE_NONE)
			continue;
		if (want_races && (event->flags & EVENT_FAILED))
			order_find_race_with_rival(order, i, other);
		if (relation == DEPENDENCE_OPENS && needs_no_door(order, event, other))
			relation = DEPENDENCE_RACES;
		needed = (event->flags & EVENT_UNFED) || (feed && order_clock_has(feed, e)) ||
			 (!is_alarm && is_standing_timer(order, event, other));
		if (relation == DEPENDENCE_FEEDS)
			feed = order_clock(order, other);
		is_race = relation == DEPENDENCE_RACES && !order_clock_has(past, e) &&
			  (!needed || was_possible_before(order, event, other) ||
			   (is_standing_timer(order, event, other) && is_opened_without(order, i, other)));
		if (is_race && shuts_door(order, i, c)) { /* races lie behind the closer, too */
			order_join(order, clock, order_clock(order, other));
			continue;
		}
		if (is_race && want_races)
			*vec_push(&order->races) =
				(struct order_race){other, i, order_observer(order, other, i)};
		if (!is_alarm && (is_race || (relation == DEPENDENCE_RACES && !needed)))
			order_join(order, past, order_clock(order, other));
		order_join(order, clock, order_clock(order, other));
	}
	if (order_can_do_without_aid(order, event)) /* it came after that nevertheless */
		order_join(order, clock, order_clock(order, order->aids.items[event->actor]));
}

/* Test: tests/property/found/idle_timers_tie.program, idle_waits_tie.program. */
void order_find_tie(struct order *order, uint32_t i, uint32_t before)
{
	const struct event *event = order_event(order, i);

	for (uint32_t other = before; other-- > 0;) {
		const struct event *e = &order->trace->events[other];

		if (!is_standing_timer(order, event, other))
			return; /* it was set later */
		if (!event_is_last_resort(e) || e->actor == event->actor ||
		    !was_possible_before(order, event, other))
			continue;
		*vec_push(&order->races) = (struct order_race){other, i, ORDER_NO_EVENT};
		return;
	}
}

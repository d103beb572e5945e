/* order_rival.c: races of a step that met a signal with those who kept it from what it waited for.
 *
 * Such a step has not touched the lock or the semaphore, so no access shows who had it. What it waited
 * for is followed back from holder to holder instead.
 */
#include "core/dependence.h"
#include "core/order_parts.h"

/* Is the lock that access number `at` took given back by an event that does not need event `first`? */
static bool is_free_without(const struct order *order, uint32_t at, uint32_t first, uint32_t object)
{
	uint32_t actor = order->trace->events[order->accesses.items[at].event].actor;
	uint32_t later = order->objects.items[object].last;

	for (; later != at; later = order->accesses.items[later].prev) {
		const struct order_access *access = &order->accesses.items[later];

		if (order->trace->events[access->event].actor == actor &&
		    access_mode_unlocks(access->mode) &&
		    !order_clock_has(order_clock(order, access->event),
				     &order->trace->events[first]))
			return true;
	}
	return false;
}

/* The event that keeps f from the lock of access number `a` if f goes before event `first`, or
 * ORDER_NO_EVENT. */
static uint32_t find_holder(const struct order *order, const struct event *f, uint32_t a,
			    uint32_t first)
{
	uint32_t object = order->touched[a], at = order->objects.items[object].last;

	for (; at != ORDER_NO_EVENT; at = order->accesses.items[at].prev) {
		const struct order_access *access = &order->accesses.items[at];

		if (order->trace->events[access->event].actor != f->actor &&
		    access_mode_locks(access->mode) &&
		    access_modes_conflict(access->mode, f->accesses[a].announced) &&
		    !order_clock_has(order_clock(order, access->event),
				     &order->trace->events[first]) &&
		    !is_free_without(order, at, first, object))
			return access->event;
	}
	return ORDER_NO_EVENT;
}

/* The event that may have emptied the queue of access number `a` for f if f goes before event `first`,
 * or ORDER_NO_EVENT. */
static uint32_t find_taker_of_queue(const struct order *order, uint32_t a, uint32_t first)
{
	uint32_t at = order->objects.items[order->touched[a]].last;

	for (; at != ORDER_NO_EVENT; at = order->accesses.items[at].prev) {
		const struct order_access *access = &order->accesses.items[at];

		if (access->mode != ACCESS_GIVE && access->mode != ACCESS_TAKE)
			continue;
		if (!order_clock_has(order_clock(order, access->event),
				     &order->trace->events[first]))
			return access->mode == ACCESS_TAKE ? access->event : ORDER_NO_EVENT;
	}
	return ORDER_NO_EVENT;
}

/* The event before which f must go to get the object of access number `a` before event `first`, which
 * needs that event; or ORDER_NO_EVENT. */
static uint32_t find_earlier_rival(const struct order *order, const struct event *f, uint32_t a,
				   uint32_t first)
{
	const uint32_t *own = order->actor_clocks.items + (size_t)f->actor * order->width;
	bool is_queue = f->accesses[a].announced == ACCESS_TAKE;
	uint32_t rival = ORDER_NO_EVENT, other = first;

	do {
		other = is_queue ? find_taker_of_queue(order, a, other)
				 : find_holder(order, f, a, other);
		if (other == ORDER_NO_EVENT)
			return rival;
		if (!order_clock_has(order_clock(order, first), &order->trace->events[other]) ||
		    order_clock_has(own, &order->trace->events[other]))
			return ORDER_NO_EVENT;
		rival = other;
	} while (!is_queue);
	return rival;
}

/* Is f a wait for a condition that nobody has signalled, but for events that need `rival`? Then it could
 * not have gone before `rival`: the lock is not all that it needs.
 * Test: tests/property/found/signal_in_condition_wait.program. */
static bool lacks_condition(const struct order *order, const struct event *f, uint32_t rival)
{
	uint32_t entered = order->last_events.items[f->actor];

	for (uint32_t a = 0; a < f->access_len; a++) {
		uint32_t at = order->objects.items[order->touched[a]].last;

		if (f->accesses[a].announced != ACCESS_LEAVE)
			continue;
		for (; at != ORDER_NO_EVENT; at = order->accesses.items[at].prev) {
			const struct order_access *access = &order->accesses.items[at];

			if (access->event > entered && access->mode == ACCESS_SIGNAL &&
			    !order_clock_has(order_clock(order, access->event),
					     &order->trace->events[rival]))
				return false;
		}
		return true;
	}
	return false;
}

/* Event i waits for a lock or a semaphore and met the signal that event `first` sent. If others have
 * the lock before that signal, event i can go there only before they take it. No access shows that:
 * event i has not touched the lock.
 *     A: lock m (rival), kill B (first), unlock m
 *     B: lock m, which met the signal. It could have gone before A's lock.
 * If the signal does not need the rival, the next lock of event i's actor races with the rival.
 * Test: tests/property/found/signal_sent_under_lock.program, signal_behind_trywait.program. */
void order_find_race_with_rival(struct order *order, uint32_t i, uint32_t first)
{
	const struct event *event = order_event(order, i);

	for (uint32_t a = 0; a < event->access_len; a++) {
		uint32_t rival;

		if (!access_is_interrupted(&event->accesses[a]) ||
		    (!access_mode_needs_lock(event->accesses[a].announced) &&
		     event->accesses[a].announced != ACCESS_TAKE))
			continue;
		rival = find_earlier_rival(order, event, a, first);
		if (rival != ORDER_NO_EVENT && !lacks_condition(order, event, rival))
			*vec_push(&order->races) = (struct order_race){rival, i, ORDER_NO_EVENT};
	}
}

#include "core/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "core/dependence.h"
#include "core/order_parts.h"

/* With more objects the table is cleared between traces: most of them may not occur again. */
enum { OBJECTS_MAX = 1 << 16 };

static uint32_t *program_clock(const struct order *order, uint32_t actor)
{
	return order->actor_clocks.items + (size_t)actor * order->width;
}

/* The index of an object. */
static uint32_t find_object(struct order *order, uint64_t object)
{
	uint32_t at = (uint32_t)(object >> 2) % ORDER_FOUND; /* most variables have four bytes or more */
	uint64_t *index;
	bool is_new;

	if (object && order->found[at].object == object)
		return order->found[at].index;
	index = map_put(&order->object_index, object, &is_new);
	if (is_new) {
		*index = order->objects.len;
		*vec_push(&order->objects) =
			(struct order_object){.last = ORDER_NO_EVENT, .last_dom = ORDER_NO_EVENT};
	}
	order->found[at].object = object;
	return order->found[at].index = (uint32_t)*index;
}

static void find_touched(struct order *order, const struct event *event)
{
	for (uint32_t a = 0; a < event->access_len; a++)
		order->touched[a] = find_object(order, event->accesses[a].object);
}

/* A receive is after the event that sent the message it took. */
static void join_feeder(struct order *order, const struct event *event, uint32_t before,
			uint32_t *clock)
{
	for (uint32_t i = before; i-- > 0;) {
		if (event_is_fed_by(event, &order->trace->events[i])) {
			order_join(order, clock, order_clock(order, i));
			return;
		}
	}
}

/* The clock of an event begins with the program order of its actor and of the actor it joins. */
static void start_clock(struct order *order, const struct event *event, uint32_t before,
			uint32_t *clock)
{
	uint32_t aid = order->aids.items[event->actor];

	vclock_copy(clock, program_clock(order, event->actor), order->width);
	if (aid != ORDER_NO_EVENT && !order_can_do_without_aid(order, event))
		order_join(order, clock, order_clock(order, aid));
	if (event_peer(event) >= order->width)
		return;
	if (event_joined(event) != ACTOR_NONE)
		order_join(order, clock, program_clock(order, event_joined(event)));
	if (event_owner(event) != ACTOR_NONE)
		order_join(order, clock, program_clock(order, event_owner(event)));
	if (event_takes(event) && !event_polls(event))
		join_feeder(order, event, before, clock);
}

/* The search for events that race with event i goes back along the chain of an object to the
 * first dominating access before this event. An actor that leaves a waiting set cannot go before
 * the signal that woke it, but it may have been able to take an earlier signal: there the search
 * must not end at an access since the actor entered the set. A timer that is due later than another
 * one cannot go before that, but perhaps before the step that armed the other. */
static uint32_t find_end(const struct order *order, const struct event *event)
{
	uint32_t owner = event_owner(event);

	if (owner < order->width && order->last_events.items[owner] != ORDER_NO_EVENT)
		return order->last_events.items[owner];
	return event_is_woken(event) ? order->last_events.items[event->actor] : ORDER_NO_EVENT;
}

/* Collects the events on the access's object that may race with it: back along the
 * chain, past everything that commutes, to the first before event `end` that dominates. */
static void collect_candidates(struct order *order, const struct order_object *object,
			       uint32_t mode, uint32_t end)
{
	uint32_t conflicts = access_mode_conflicts(mode);
	uint32_t at = object->last;
	uint32_t modes = object->modes_since;
	uint32_t dom = object->last_dom;

	while (at != ORDER_NO_EVENT) {
		const struct order_access *seen;

		if (!(modes & conflicts))
			at = dom; /* no access since the dominating one conflicts */
		if (at == ORDER_NO_EVENT)
			return;
		seen = &order->accesses.items[at];
		if (conflicts >> seen->mode & 1)
			*vec_push(&order->candidates) = seen->event;
		if (at == dom) {
			if ((conflicts >> seen->mode & 1) &&
			    !access_mode_opens(seen->mode, mode) && seen->event < end)
				return;
			modes = seen->modes_since;
			dom = seen->prev_dom;
		}
		at = seen->prev;
	}
}

/* The end of the run depends on the last event of every actor. */
static void collect_everyone(struct order *order)
{
	for (uint32_t a = 0; a < order->width; a++)
		if (order->last_events.items[a] != ORDER_NO_EVENT)
			*vec_push(&order->candidates) = order->last_events.items[a];
}

static int compare_descending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? 1 : x > y ? -1 : 0;
}

enum { SORTED_BY_HAND = 32 };

/* Descending; there are nearly always only a few, and nearly sorted. */
static void sort_few(uint32_t *items, size_t len)
{
	for (size_t i = 1; i < len; i++) {
		uint32_t item = items[i];
		size_t at = i;

		for (; at > 0 && items[at - 1] < item; at--)
			items[at] = items[at - 1];
		items[at] = item;
	}
}

static void sort_candidates(struct order *order)
{
	uint32_t *items = order->candidates.items;
	size_t kept = 0;

	if (order->candidates.len > SORTED_BY_HAND)
		qsort(items, order->candidates.len, sizeof(*items), compare_descending);
	else
		sort_few(items, order->candidates.len);
	for (size_t i = 0; i < order->candidates.len; i++)
		if (kept == 0 || items[kept - 1] != items[i])
			items[kept++] = items[i];
	order->candidates.len = kept;
}

static void link_access(struct order *order, uint32_t i, uint32_t mode, uint32_t touched)
{
	struct order_object *object = &order->objects.items[touched];
	uint32_t index = (uint32_t)order->accesses.len;

	*vec_push(&order->accesses) = (struct order_access){
		.event = i,
		.mode = mode,
		.object = touched,
		.prev = object->last,
		.prev_dom = object->last_dom,
		.modes_since = object->modes_since,
	};
	object->last = index;
	if (access_mode_dominates(mode)) {
		object->last_dom = index;
		object->modes_since = 0;
	} else {
		object->modes_since |= 1u << mode;
	}
}

/* The step of a timer comes between two steps of the actor. */
static void add_aid(struct order *order, uint32_t actor, const struct event *event)
{
	uint32_t *aid = &order->aids.items[actor];

	if (*aid != ORDER_NO_EVENT)
		order_join(order, program_clock(order, actor), order_clock(order, *aid));
	*aid = (uint32_t)(event - order->trace->events);
}

static void advance_peers(struct order *order, const struct event *event, const uint32_t *clock)
{
	if (event_owner(event) != ACTOR_NONE && !event_is_last_resort(event))
		add_aid(order, event_owner(event), event);
	if (event_creates(event) ||
	    (event_exit_receiver(event) != ACTOR_NONE && !(event->flags & EVENT_FAILED)))
		order_join(order, program_clock(order, event_peer(event)), clock);
	/* No other actor was enabled before it. */
	for (uint32_t a = 0; event_is_last_resort(event) && a < order->width; a++)
		if (a != event->actor)
			add_aid(order, a, event);
}

/* The next events of the actor of event i, of the actor it created and of its owner are after i. */
static inline void advance_program_order(struct order *order, const struct event *event,
					 const uint32_t *clock)
{
	vclock_copy(program_clock(order, event->actor), clock, order->width);
	order->last_events.items[event->actor] = (uint32_t)(event - order->trace->events);
	order->aids.items[event->actor] = ORDER_NO_EVENT;
	if (event_peer(event) < order->width)
		advance_peers(order, event, clock);
}

/* The program order after the first `known` events, whose clocks are still there. The clock of an
 * actor's last event has all that was joined before, so earlier events without a peer need no join. */
static void repeat_program_order(struct order *order, uint32_t known)
{
	const struct event *events = order->trace->events;

	for (uint32_t i = 0; i < known; i++) {
		if (event_peer(&events[i]) < order->width) {
			advance_program_order(order, &events[i], order_clock(order, i));
			continue;
		}
		order->last_events.items[events[i].actor] = i;
		order->aids.items[events[i].actor] = ORDER_NO_EVENT;
	}
	for (uint32_t a = 0; a < order->width; a++)
		if (order->last_events.items[a] != ORDER_NO_EVENT)
			order_join(order, program_clock(order, a),
				   order_clock(order, order->last_events.items[a]));
}

/* A timer that fires only when no other actor is enabled is after everything. It races only with
 * its equals (order_find_tie). */
static void know_everyone(struct order *order, uint32_t *clock)
{
	collect_everyone(order);
	for (size_t c = 0; c < order->candidates.len; c++)
		order_join(order, clock, order_clock(order, order->candidates.items[c]));
}

/* The last event of the receiver of an exit signal; if the signal came too late, its end. */
static uint32_t find_ended(const struct order *order, const struct event *signal, uint32_t before)
{
	uint32_t receiver = event_exit_receiver(signal);

	if (!(signal->flags & EVENT_FAILED))
		return order->last_events.items[receiver];
	for (uint32_t i = before; i-- > 0;)
		if (order->trace->events[i].actor == receiver &&
		    order->trace->events[i].kind == EVENT_FINISH)
			return i;
	return ORDER_NO_EVENT;
}

/* A timer is after the timers that were due earlier and have fired. */
static void join_timers(const struct order *order, const struct event *event, uint32_t before,
			uint32_t *clock)
{
	for (uint32_t i = before; i-- > 0;)
		if (event_is_due_before(&order->trace->events[i], event))
			order_join(order, clock, order_clock(order, i));
}

/* Gives event i its clock, with the first `before` events of the trace behind it.
 * `extra` is one more event it may race with, or ORDER_NO_EVENT. */
static void place(struct order *order, uint32_t i, uint32_t before, uint32_t extra, bool want_races)
{
	const struct event *event = order_event(order, i);
	uint32_t receiver = event_exit_receiver(event);

	start_clock(order, event, before, order_clock(order, i));
	find_touched(order, event);
	order->candidates.len = 0;
	if (event_is_last_resort(event)) {
		if (want_races)
			order_find_tie(order, i, before);
		know_everyone(order, order_clock(order, i));
		return;
	}
	if (event_touches_all(event))
		collect_everyone(order);
	/* An event that depends on every other may also wait for a lock. */
	for (uint32_t a = event_touches_all(event); a < event->access_len; a++)
		collect_candidates(order, &order->objects.items[order->touched[a]],
				   event_mode_of_wait(event, a), find_end(order, event));
	if (order->worlds.len)
		*vec_push(&order->candidates) = *vec_last(&order->worlds);
	if (receiver < order->width && find_ended(order, event, before) != ORDER_NO_EVENT)
		*vec_push(&order->candidates) = find_ended(order, event, before);
	if (extra != ORDER_NO_EVENT)
		*vec_push(&order->candidates) = extra;
	if (order_can_do_without_aid(order, event))
		*vec_push(&order->candidates) = order->aids.items[event->actor];
	sort_candidates(order);
	order_find_races(order, i, want_races);
	if (event->deadline)
		join_timers(order, event, before, order_clock(order, i));
}

static void place_event(struct order *order, uint32_t i, bool want_races)
{
	const struct event *event = &order->trace->events[i];

	place(order, i, i, ORDER_NO_EVENT, want_races);
	order_clock(order, i)[event->actor] = event->ordinal + 1;
}

/* Adds event i, which has just been placed, to the chains of its objects. */
static void link_event(struct order *order, uint32_t i)
{
	const struct event *event = &order->trace->events[i];

	for (uint32_t a = 0; a < event->access_len; a++)
		if (event->accesses[a].mode != ACCESS_WORLD)
			link_access(order, i, event->accesses[a].mode, order->touched[a]);
	if (event_touches_all(event))
		*vec_push(&order->worlds) = i;
}

/* Removes the accesses of the previous trace from that event on. */
static void unlink_from(struct order *order, uint32_t known)
{
	while (order->accesses.len && vec_last(&order->accesses)->event >= known) {
		const struct order_access *access = &vec_pop(&order->accesses);

		order->objects.items[access->object] =
			(struct order_object){.last = access->prev, .last_dom = access->prev_dom,
					      .modes_since = access->modes_since};
	}
	while (order->worlds.len && *vec_last(&order->worlds) >= known)
		order->worlds.len--;
	if (order->objects.len > OBJECTS_MAX && !known) {
		order->objects.len = 0;
		map_clear(&order->object_index);
		memset(order->found, 0, sizeof(order->found));
	}
}

static void place_ghost(struct order *order, const struct event *event, uint32_t before,
			uint32_t extra)
{
	uint32_t i = order->events_len + (uint32_t)order->ghosts.len;

	*vec_push(&order->ghosts) = event;
	*vec_push(&order->ghost_places) = *vec_push(&order->ghost_ends) = before;
	/* An actor that spins in vain waits for a write, and the write races with its reads. */
	place(order, i, before, extra,
	      !(event->flags & EVENT_VOID) || event_waits_for_value(event));
}

/* The ghost waited for event number `opener`, and was withdrawn before that. It races with the
 * withdrawal if the opener does not need that. Its other races are those of the run in which the
 * ghost goes before the withdrawal. */
static void place_late_ghost(struct order *order, const struct withdrawn *withdrawn,
			     uint32_t opener)
{
	uint32_t i = order->events_len + (uint32_t)order->ghosts.len;
	const struct event *end = &order->trace->events[withdrawn->step];

	*vec_push(&order->ghosts) = &withdrawn->event;
	*vec_push(&order->ghost_places) = opener + 1;
	*vec_push(&order->ghost_ends) = withdrawn->step;
	memcpy(order_clock(order, i), order_clock(order, opener),
	       order->width * sizeof(uint32_t));
	if (!order_clock_has(order_clock(order, opener), end))
		*vec_push(&order->races) =
			(struct order_race){withdrawn->step, i, ORDER_NO_EVENT};
}

static void reset(struct order *order, const struct trace *trace)
{
	uint32_t ghosts = trace->pending_len + trace->withdrawn_len;

	order->trace = trace;
	order->width = trace->actors_len;
	order->events_len = trace->events_len;
	order->races.len = order->ghosts.len = order->ghost_places.len = 0;
	order->ghost_ends.len = 0;
	vec_reserve(&order->clocks, (size_t)(trace->events_len + ghosts) * order->width);
	vec_reserve(&order->actor_clocks, (size_t)order->width * order->width);
	vec_reserve(&order->scratch, order->width);
	vec_reserve(&order->last_events, order->width);
	vec_reserve(&order->aids, order->width);
	for (uint32_t a = 0; a < order->width; a++)
		order->last_events.items[a] = order->aids.items[a] = ORDER_NO_EVENT;
	if (order->width)
		memset(order->actor_clocks.items, 0,
		       (size_t)order->width * order->width * sizeof(uint32_t));
}

/* Are all bytes the same? Runs of one search have many events in common, so it is asked often: without a call. */
static bool is_same_event(const struct event *a, const struct event *b)
{
	enum { WORDS = sizeof(*a) / sizeof(uint64_t) };
	const uint64_t *x = (const uint64_t *)a, *y = (const uint64_t *)b;
	uint64_t difference = 0;

	_Static_assert(sizeof(*a) % sizeof(uint64_t) == 0, "an event has whole words");
	for (int i = 0; i < WORDS; i++)
		difference |= x[i] ^ y[i];
	return !difference;
}

/* How many events are those of the previous trace? Their clocks are still there. */
static uint32_t find_known(struct order *order, uint32_t races_from)
{
	const struct trace *trace = order->trace;
	uint32_t len = (uint32_t)order->before.len, known = 0;

	if (len > trace->events_len)
		len = trace->events_len;
	if (len > races_from)
		len = races_from;
	if (order->before_width != order->width || order->objects.len > OBJECTS_MAX)
		len = 0;
	while (known < len && is_same_event(&trace->events[known], &order->before.items[known]))
		known++;
	order->before.len = known;
	vec_append(&order->before, trace->events + known, trace->events_len - known);
	order->before_width = order->width;
	return known;
}

void order_build(struct order *order, const struct trace *trace, uint32_t races_from)
{
	uint32_t w = 0, known;

	reset(order, trace);
	known = find_known(order, races_from);
	unlink_from(order, known);
	repeat_program_order(order, known);
	while (w < trace->withdrawn_len && trace_withdrawal(&trace->withdrawn[w]) < known)
		w++;
	for (uint32_t i = known; i < trace->events_len; i++) {
		place_event(order, i, i >= races_from);
		link_event(order, i);
		/* Before the clock of the owner moves on: the timer could have gone instead. */
		for (; w < trace->withdrawn_len && trace_withdrawal(&trace->withdrawn[w]) == i; w++)
			if (i >= races_from && trace->withdrawn[w].opened)
				place_late_ghost(order, &trace->withdrawn[w], i);
			else if (i >= races_from)
				place_ghost(order, &trace->withdrawn[w].event, i, i);
		advance_program_order(order, &trace->events[i], order_clock(order, i));
	}
	for (uint32_t p = 0; p < trace->pending_len; p++)
		place_ghost(order, &trace->pending[p], trace->events_len, ORDER_NO_EVENT);
	order->ghosts_len = (uint32_t)order->ghosts.len;
}

/* A sum over the steps and their clocks: the order of independent events does not show in it. */
uint64_t order_class_hash(const struct order *order)
{
	const struct trace *trace = order->trace;
	uint64_t sum = hash_combine(trace->end, trace->events_len);

	for (uint32_t i = 0; i < order->events_len; i++) {
		const struct event *event = &trace->events[i];
		const uint32_t *clock = order_clock(order, i);
		uint64_t h = hash_combine(event->kind, event->value);

		for (uint32_t a = 0; a < event->access_len; a++)
			h = hash_combine(h, event->accesses[a].object + event->accesses[a].mode);
		for (uint32_t a = 0; a < order->width; a++)
			if (clock[a])
				h += hash_combine(actor_hash(trace->actors, a), clock[a]);
		sum += hash_combine(h, actor_hash(trace->actors, event->actor));
	}
	return sum;
}

void order_release(struct order *order)
{
	vec_release(&order->clocks);
	vec_release(&order->ghosts);
	vec_release(&order->ghost_places);
	vec_release(&order->ghost_ends);
	vec_release(&order->actor_clocks);
	vec_release(&order->accesses);
	vec_release(&order->objects);
	vec_release(&order->worlds);
	vec_release(&order->races);
	vec_release(&order->candidates);
	vec_release(&order->scratch);
	vec_release(&order->last_events);
	vec_release(&order->aids);
	vec_release(&order->before);
	map_release(&order->object_index);
	memset(order->found, 0, sizeof(order->found));
}

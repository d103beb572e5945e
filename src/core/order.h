/* order.h: the dependence order of a trace, by vector clocks, and its races.
 *
 * `order` is one of the two relations of the design: program order, creation,
 * joining, and every dependent pair as it ran. (The other, sync, is what the
 * language guarantees and belongs to the data-race detector.)
 *
 * Besides the events that ran, a trace has *ghosts*: events that were announced but
 * did not run, because the run ended first (pending) or because they were withdrawn
 * (a timer that was disarmed). A ghost is placed at the end, or before the event that
 * withdrew it. It has a clock and races like any other event, and it is before no event.
 *
 * A race is a pair e, f of different actors, dependent, with nothing in between in
 * the order, where f could have gone first. Per object the history is kept as a
 * chain; a chain is followed only back to the first event that dominates the rest,
 * so finding all races is near linear in the events of the usual trace.
 *
 * Whether two steps depend on each other may be known only when the run is over: two
 * messages to one process depend if a receive can distinguish them. So two runs with the same
 * beginning can have different races in that beginning.
 *
 * One struct order is used again and again, run after run; it allocates only when a
 * trace is longer than any before. Where a trace begins like the previous one, and the races
 * of that beginning are not wanted again, its clocks and chains are kept.
 */
#ifndef CORE_ORDER_H
#define CORE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "core/dependence.h"
#include "core/trace.h"

/* An access of an event, with the state of its object before, so that it can be undone. */
struct order_access {
	uint32_t event;
	uint32_t mode;
	uint32_t object;    /* index */
	uint32_t prev;      /* previous access to the object, or ORDER_NO_EVENT */
	uint32_t prev_dom;  /* previous dominating access, or ORDER_NO_EVENT */
	uint32_t modes_since; /* modes between prev_dom and this one */
};

struct order_object {
	uint32_t last;
	uint32_t last_dom;
	uint32_t modes_since;
};

struct order_race {
	uint32_t first;  /* index of e */
	uint32_t second; /* index of f; >= events_len for a ghost */
	uint32_t observer; /* index of the first event that distinguishes the two orders;
	                      events_len: only the end of the run does; ORDER_NO_EVENT: the
	                      two depend without an observer */
};

enum { ORDER_NO_EVENT = 0xffffffffu };
enum { ORDER_FOUND = 64 };

struct order {
	uint32_t observers; /* enum observers; set by the caller */
	const struct trace *trace;
	uint32_t width;      /* words per clock: actors in the table */
	uint32_t events_len; /* ghosts not counted */
	uint32_t ghosts_len;
	VEC(uint32_t) clocks;       /* (events_len + ghosts_len) * width */
	VEC(const struct event *) ghosts;
	VEC(uint32_t) ghost_places; /* how many events of the trace lie before each ghost */
	VEC(uint32_t) ghost_ends;   /* the event that withdrew each ghost, or events_len */
	VEC(uint32_t) actor_clocks; /* width * width: program order so far */
	VEC(struct order_access) accesses;
	VEC(struct order_object) objects; /* those of earlier traces, too, without accesses then */
	uint32_t touched[EVENT_ACCESSES]; /* objects of the event placed last */
	VEC(struct order_race) races;
	VEC(uint32_t) candidates;
	VEC(uint32_t) scratch;
	VEC(uint32_t) aids;         /* by actor: the step of a timer since its last event, or none */
	VEC(uint32_t) last_events;  /* by actor: its last event so far, or ORDER_NO_EVENT */
	struct map object_index;
	struct {
		uint64_t object; /* 0: none */
		uint32_t index;
	} found[ORDER_FOUND];       /* objects that were found last, by their lowest bits: quicker to ask */
	VEC(struct event) before;   /* the trace before this one, */
	uint32_t before_width;      /* and its width */
	VEC(uint32_t) worlds;       /* events that depend on every other event */
};

/* Computes clocks and races of the trace; races whose second event is before
 * `races_from` are left out (they were seen in an earlier run with that prefix). The
 * trace must live as long as the order is used. */
void order_build(struct order *order, const struct trace *trace, uint32_t races_from);

/* The observer of a race (struct order_race) between two events that conflict. */
uint32_t order_observer(const struct order *order, uint32_t first, uint32_t second);

void order_release(struct order *order);

/* A hash of the run's equivalence class: equal for two runs that differ only in the
 * order of independent events, whatever the actor indices. */
uint64_t order_class_hash(const struct order *order);

/* The i-th event, ghosts included. */
static inline const struct event *order_event(const struct order *order, uint32_t i)
{
	return i < order->events_len ? &order->trace->events[i]
				     : order->ghosts.items[i - order->events_len];
}

/* How many events of the trace lie before event or ghost i. */
static inline uint32_t order_place(const struct order *order, uint32_t i)
{
	return i < order->events_len ? i : order->ghost_places.items[i - order->events_len];
}

/* The event that withdrew ghost i, or events_len: the ghost was pending. It is the place of the
 * ghost, or lies before that (struct withdrawn). */
static inline uint32_t order_withdrawal(const struct order *order, uint32_t i)
{
	return order->ghost_ends.items[i - order->events_len];
}

/* Is event i before event j (or the same)? j may be a ghost, i not. */
static inline bool order_before(const struct order *order, uint32_t i, uint32_t j)
{
	const struct event *first = &order->trace->events[i];

	return order->clocks.items[(size_t)j * order->width + first->actor] > first->ordinal;
}

/* The same question for one event i and many j: ask order_after once for i. */
struct order_after {
	const uint32_t *column; /* of all clocks */
	size_t width;
	uint32_t ordinal;
};

static inline struct order_after order_after(const struct order *order, uint32_t i)
{
	const struct event *first = &order->trace->events[i];

	return (struct order_after){.column = order->clocks.items + first->actor,
				    .width = order->width, .ordinal = first->ordinal};
}

static inline bool order_is_after(const struct order_after *after, uint32_t j)
{
	return after->column[j * after->width] > after->ordinal;
}

#endif

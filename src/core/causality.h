/* causality.h: what must happen before an event, whatever the schedule.
 *
 * The dependence order (order.h) says what came before what in this run because it was
 * scheduled so. This one says what had to: the steps of one actor in their order, creation
 * before the created, joining after the joined, a message or signal before who takes it.
 * Two events that conflict are ordered in the first and mostly not in the second; those are
 * the pairs that a schedule can turn round.
 *
 * With CAUSALITY_OBJECTS it is also said what an event may have depended on: whoever has
 * looked at an object may go on differently if what happened to the object before had been
 * different. So the *next* steps of an actor that touched an object are after all that was
 * done to the object until then; the touching step itself is not. (For mailboxes that follows
 * from the order of steps: the second rule of causality in the Bita paper.)
 *
 * Vector clocks, one per event; like struct order it is used again run after run.
 */
#ifndef CORE_CAUSALITY_H
#define CORE_CAUSALITY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "core/trace.h"

enum causality_kind { CAUSALITY_PLAIN, CAUSALITY_OBJECTS };

struct causality {
	const struct trace *trace;
	uint32_t width;         /* actors */
	VEC(uint32_t) clocks;   /* events_len * width: what must be over when event i begins */
	VEC(uint32_t) actors;   /* width * width: the same for the next event of each actor */
	VEC(uint32_t) objects;  /* a clock for each object met */
	struct map object_index;
	struct map event_index; /* actor and ordinal -> index */
};

/* The trace must live as long as the causality is used. */
void causality_build(struct causality *causality, const struct trace *trace,
		     enum causality_kind kind);
void causality_release(struct causality *causality);

/* Must event i happen before event j can? */
static inline bool causality_before(const struct causality *c, uint32_t i, uint32_t j)
{
	const struct event *first = &c->trace->events[i];

	return c->clocks.items[(size_t)j * c->width + first->actor] > first->ordinal;
}

/* The same for an event that was announced and did not happen (or what its actor would do
 * next, when the trace was over). */
bool causality_before_next(const struct causality *c, uint32_t i, const struct event *announced);

enum { CAUSALITY_NONE = 0xffffffffu };

/* The index of the feeder of the event: the one that sent or signalled what the event took.
 * CAUSALITY_NONE if it has no feeder. */
uint32_t causality_feeder(const struct causality *c, const struct event *event);

#endif

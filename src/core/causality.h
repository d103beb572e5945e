/* causality.h: which events must happen before an event, whatever the schedule.
 *
 * The dependence order (order.h) has the pairs that came in this order because this run was
 * scheduled so. Causality has the pairs that every schedule orders: the steps of one actor,
 * creation before the steps of the created actor, the steps of an actor before a join of it, a
 * message or signal before the event that takes it. Two events that conflict are ordered in the
 * first and mostly not in the second; those are the pairs that a schedule can swap.
 *
 * CAUSALITY_OBJECTS adds the events that may have influenced an event: an actor that has looked at
 * an object may go on differently if the object had been changed differently before. So the
 * *next* steps of an actor that touched an object are after every earlier access to the object;
 * the touching step itself is not. A step that only looks is not influenced by others that look. A
 * signal that is answered where it arrives counts as such an actor: the DOWN of a process that was
 * dead when the request for a monitor arrived is after the end of that process. (For mailboxes that
 * follows from the order of steps: the second rule of causality in the Bita paper.)
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
	VEC(uint32_t) clocks;   /* events_len * width: events that must be over before i */
	VEC(uint32_t) actors;   /* width * width: the same for the next event of each actor */
	VEC(uint32_t) objects;  /* two clocks for each object met: of changes, of all accesses */
	VEC(uint32_t) answers;  /* a clock for each delivery that other deliveries may answer */
	struct map object_index;
	struct map answer_index; /* event -> place in answers */
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

/* The same for an event that was announced and did not happen before the trace was over. */
bool causality_before_next(const struct causality *c, uint32_t i, const struct event *announced);

enum { CAUSALITY_NONE = 0xffffffffu };

/* The index of the feeder of the event: the one that sent or signalled what the event took.
 * CAUSALITY_NONE if it has no feeder. */
uint32_t causality_feeder(const struct causality *c, const struct event *event);

#endif

/* conflicts.h: pairs of steps of one run that could matter in the other order, and the
 * schedule that tries it: the core of procrastination (Arts and others, Erlang 2011).
 *
 * A conflict is a pair of events of different actors that touch one object in modes that do
 * not commute (dependence.def): two deliveries to one process, a write and another access to a
 * table, a name, a variable, two steps on a lock. Whether the second really could come first is
 * not asked: the schedule that tries it is followed relaxed, and the run shows the result. So
 * nothing here is expensive, and nothing can be wrong: a relaxed run is a run that could also
 * have come at random.
 *
 *     conflicts_build(&c, trace, GRAIN_EVENT);
 *     second = conflicts_last(&c, first);           // CONFLICT_NONE: nothing conflicts with it
 *     delay_decisions(trace, first, second, &decisions);
 *     … run { .decisions = decisions, .relaxed = true, .tail = TAIL_RANDOM } giving `ran` …
 *     delay_passed(&c, first, &ran, &passed);       // the events that it was really moved past
 *
 * Used by `procrastinate` and `suspects`.
 */
#ifndef STRATEGY_CONFLICTS_H
#define STRATEGY_CONFLICTS_H

#include "base/map.h"
#include "base/vec.h"
#include "core/schedule.h"
#include "core/trace.h"

enum { CONFLICT_NONE = 0xffffffffu };

VEC_TYPE(decision_vec, struct decision);
VEC_TYPE(index_vec, uint32_t);

struct conflict_access {
	uint32_t event; /* the decision: see conflicts_build */
	uint32_t mode; /* as announced: the step may do that in other circumstances */
	uint32_t prev; /* previous access to the object, or CONFLICT_NONE */
};

struct conflicts {
	const struct trace *trace;
	uint32_t grain;
	VEC(struct conflict_access) accesses;
	struct index_vec next;  /* of an event: the next one of its actor, or CONFLICT_NONE */
	struct index_vec heads; /* of an event: the decision it belongs to */
	struct map last_access; /* object -> index of its last access */
	struct map ran;         /* scratch of delay_passed */
};

/* Indexes the accesses of the trace, which must live as long as the index is used. May be
 * called again and again on one struct; zero-initialised is empty. At GRAIN_PULSE a decision
 * is an event together with the outward events that its actor takes by itself after it: these can
 * only be put off with it, and their accesses count as accesses of the decision. */
void conflicts_build(struct conflicts *c, const struct trace *trace, uint32_t grain);
void conflicts_release(struct conflicts *c);

/* The last event after `first` that conflicts with it, or CONFLICT_NONE. */
uint32_t conflicts_last(const struct conflicts *c, uint32_t first);

/* All events after `first` that conflict with it, ascending, each once. */
void conflicts_all(const struct conflicts *c, uint32_t first, struct index_vec *seconds);

/* The trace as decisions, with event `first` right behind event `second`. */
void delay_decisions(const struct trace *trace, uint32_t first, uint32_t second,
		     struct decision_vec *decisions);

/* Of the events that conflict with `first`: those that came before it in `ran`, a run of
 * such a schedule. None if `first` did not happen in it. */
void delay_passed(struct conflicts *c, uint32_t first, const struct trace *ran,
		  struct index_vec *passed);

#endif

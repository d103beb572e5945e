/* bound_cost.h: the least cost of a class of runs, in preemptions or delays.
 *
 * A class of runs costs as much as its cheapest member. The members are the orders of its steps in
 * which dependent steps keep their order, so the cost is found without running the program: it is
 * the shortest way from no step done to all steps done.
 *
 *     A: a1 a2      B: b1      a1 b1 a2 has one preemption. If b1 depends on neither step of A, the
 *                              class costs nothing: a1 a2 b1. If b1 depends on both it costs one.
 *
 * A beginning of runs is costed alike, except that an actor that has no more steps in the
 * beginning may be left for nothing. So no beginning costs more than a run that goes on from it,
 * and a search may drop a beginning that costs too much: every run behind it costs too much.
 *
 * A beginning of which some next steps sleep is costed by the runs that are wanted of it: in those
 * another step comes before a sleeper. So an actor that sleeps counts as one that could go and is
 * passed over, until a step behind the beginning may have woken it. (Of delays: a class with a timer
 * was lost when preemptions were counted so.)
 *
 *     A, B, C: read x, write x         The reads commute, so a beginning with B's read alone costs
 *                                      nothing. If A's read sleeps, then B must write before A
 *                                      reads: A is passed over, and the beginning costs one delay.
 *
 * The cost of a step. Preemptions: 1 if the last actor that is not virtual could go on and another
 * actor that is not virtual goes. Delays: the default actor is the last one, or the first that can
 * go; another actor costs its place among those that can go, without the default one, from 1.
 * Where it is not certain that an actor could go, it counts as one that could not.
 *
 *     bound_cost_begin(&costs, &trace);
 *     cost = bound_cost_of(&costs, 7, &announced, &others, bound, limit); // 7 steps, then this
 */
#ifndef STRATEGY_BOUND_COST_H
#define STRATEGY_BOUND_COST_H

#include "base/map.h"
#include "base/vec.h"
#include "core/trace.h"
#include "strategy/strategy.h"

/* Steps done by each actor, the actor that went last, and whether the sleepers sleep. */
struct bound_state {
	uint32_t done; /* index into `counts` */
	uint32_t last;
	uint32_t cost;
	bool asleep;
	uint64_t key;
};

struct bound_cost {
	uint32_t kind;               /* enum bound_kind; set by the caller */
	const struct trace *trace;
	uint32_t width;
	uint32_t begin;              /* events of the trace in the beginning, */
	uint32_t len;                /* and with the step behind them */
	uint32_t added;              /* events of the trace and those added to them */
	VEC(const struct event *) events;
	VEC(uint32_t) needs;         /* of each event: how many steps of each actor come before it */
	VEC(uint32_t) waits;         /* and without how many it cannot happen in any class */
	VEC(uint32_t) places;        /* of each actor: where its events are in `order` */
	VEC(uint32_t) order;         /* events by actor */
	VEC(uint32_t) total;         /* of each actor: its events in the beginning */
	VEC(uint32_t) next;          /* of each actor: the event behind the beginning, or 0 */
	const uint64_t *enabled;     /* actors that can go behind the beginning, a set, */
	VEC(uint64_t) asleep;        /* and those of them that sleep there, */
	uint32_t sleepers;           /* so many */
	bool has_virtual;            /* the trace has virtual actors */
	VEC(uint32_t) path;          /* scratch: steps done */
	VEC(uint32_t) counts;        /* scratch: steps done, of each state */
	VEC(struct bound_state) states;
	struct map best;
};

/* The other actors behind a beginning. */
struct bound_others {
	const uint64_t *enabled;   /* a set; of `words` words */
	const struct event **next; /* of each actor, its next step; may be NULL */
	const uint64_t *ended;     /* actors that another one may end before their next step */
	const struct event *asleep; /* steps that are not wanted next, unless `event` wakes them */
	size_t asleep_len;
	size_t words;
};

/* Borrows the trace until the next call. */
void bound_cost_begin(struct bound_cost *costs, const struct trace *trace);

/* The cost of the first `len` events of the trace followed by `event`. Behind these come, in any
 * order, the next steps of the other actors: they could be taken before, unless they depend on
 * the beginning or sleep, and then they count as actors that were passed over. If the order of the trace
 * itself costs no more than `enough` that is the answer; else the least cost, or a greater number
 * than `most`. Where the search for it gets too large, the answer is a cost that is certainly not
 * too great. */
uint32_t bound_cost_of(struct bound_cost *costs, uint32_t len, const struct event *event,
		       const struct bound_others *others, uint32_t enough, uint32_t most);

void bound_cost_release(struct bound_cost *costs);

/* The reason why a search within a bound of that kind is not a proof. */
static inline const char *bound_left_out(uint32_t kind)
{
	return kind == BOUND_DELAYS ? "only schedules within the delay bound were run"
				    : "only schedules within the preemption bound were run";
}

/* Is it the step of a timer? Timers keep each other back, which no access shows. */
bool bound_is_timer(const struct event *event);

#endif

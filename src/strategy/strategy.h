/* strategy.h: a strategy takes the traces so far and gives the next schedule.
 *
 * A strategy never sees a program, only events. The explorer's loop is
 *
 *     while (strategy->ops->next(strategy, &schedule)) {
 *             … the target runs the schedule …
 *             strategy->ops->learn(strategy, &trace);
 *     }
 *
 * and when next() returns false an exhaustive strategy has covered the space it was
 * asked to cover; the explorer decides whether that is a proof (bounds).
 *
 * To add one: a line in strategies.def, a file here. Schedules handed out are valid
 * until the next call of learn() or restart().
 */
#ifndef STRATEGY_STRATEGY_H
#define STRATEGY_STRATEGY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/vec.h"
#include "core/schedule.h"
#include "core/trace.h"

VEC_TYPE(event_vec, struct event);

enum bound_kind { BOUND_PREEMPTIONS, BOUND_DELAYS };
enum { STRATEGY_LEVELS = 8, STRATEGY_DEFAULT_LIMIT = 10 };

struct strategy_params {
	uint64_t seed;
	uint32_t bound;      /* of `bounded`; UINT32_MAX: until nothing is left */
	uint32_t bound_kind; /* enum bound_kind */
	uint32_t depth;      /* of `pct` */
	uint64_t tail_seed;  /* not 0: beyond their decisions exhaustive strategies run on at
	                        random instead of in the default order */
	uint32_t observers;  /* of `dpor`: enum observers */
	uint32_t burst;      /* runs of each sampler before dpor in `auto` */
	uint32_t grain;      /* enum grain: of the samplers */
	/* of `procrastinate`: how often it is applied to its own results (0: once), and how many
	 * feasible ones are tried at each level (0: STRATEGY_DEFAULT_LIMIT, UINT32_MAX: all) */
	uint32_t levels;
	uint32_t limits[STRATEGY_LEVELS];
	/* Optional: is this pair of conflicting events to be tried before others? Of
	 * `procrastinate`. */
	bool (*prefers)(void *ctx, const struct event *first, const struct event *second);
	void *prefers_ctx;
	struct hapset *hapset; /* of `hapset`: learned into and asked; borrowed; NULL: its own */
	uint32_t train;        /* of `hapset`: runs at random before the search */
	uint32_t criteria;     /* of `coverage`: set of enum goal_criterion; 0: all */
	uint32_t memory;       /* enum memory_model: of `graphs` */
	bool ignores_races;    /* of `graphs`: data races are not reported */
	struct cover_numbers *cover; /* of `coverage`: filled in; borrowed; may be NULL */
};

struct strategy {
	const struct strategy_ops *ops;
};

/* The state of a sampler that other processes may share: all that its next schedules depend on. */
struct strategy_share {
	uint64_t seeds;   /* of the generator of seeds */
	uint64_t longest; /* of pct: the longest run so far; else 0 */
};

struct strategy_ops {
	/* Fills in the next schedule; false when none is left. If its run was offered
	 * already, *known is that trace (valid until learn), else NULL. */
	bool (*next)(struct strategy *self, struct schedule *schedule,
		     const struct trace **known);

	/* Optional: up to `max` further schedules that will be asked for sooner or later,
	 * whatever the run of the schedule handed out last shows. Each resulting trace is either
	 * given back by offer(), in any order, and then not run again, or forgotten. The trace
	 * is valid until the next run is made. */
	uint32_t (*ahead)(struct strategy *self, struct schedule *schedules, uint32_t max);
	void (*offer)(struct strategy *self, uint32_t i, const struct trace *trace);
	bool any_ahead; /* the results do not depend on how many are made ahead */

	/* Optional, asked about each run of a schedule of next(): did it happen as the strategy had
	 * guessed? A run that did not shows nothing about the program and is not learned. */
	bool (*is_possible)(struct strategy *self, const struct trace *trace);

	/* The trace of the schedule handed out last. Not called for a run that ended as
	 * END_RELEARN. */
	void (*learn)(struct strategy *self, const struct trace *trace);

	/* Forgets everything: the target's names have changed. */
	void (*restart)(struct strategy *self);

	/* How much of the space is done, 0 to 1; negative if that is not known. */
	double (*progress)(const struct strategy *self);

	/* Is the schedule handed out last part of a sampling burst? Such runs are
	 * counted apart. Optional. */
	bool (*is_burst)(const struct strategy *self);

	/* The reason why the search is not a proof even if next() returns false, because a
	 * part was left out on purpose (a bound). NULL, or returning NULL: nothing was. */
	const char *(*left_out)(const struct strategy *self);

	/* Optional: the step that the relation of the strategy does not cover, so that the target has to
	 * retreat (target.h); NULL, or returning NULL: none. */
	const char *(*uncovered)(const struct strategy *self);

	/* Optional: the dpor whose branches other processes may explore now (dpor_part.h), or NULL. */
	struct strategy *(*parts)(struct strategy *self);

	/* Optional, of samplers; all or none. share(): the state before the schedule number `ahead`,
	 * counted from the next one. load(): in another process, that state; `runs` schedules
	 * will be asked for. skip(): the schedules from `from` on were run elsewhere, and the state
	 * is `to` now; false if `from` is not the state here. */
	void (*share)(struct strategy *self, uint64_t ahead, struct strategy_share *share);
	void (*load)(struct strategy *self, const struct strategy_share *share, uint64_t runs);
	bool (*skip)(struct strategy *self, const struct strategy_share *from,
		     const struct strategy_share *to);

	/* Optional, both or none: the state between learn() and next() as bytes; and in a new
	 * strategy with the same parameters: false if the bytes are damaged. */
	void (*save)(const struct strategy *self, struct strbuf *out);
	bool (*restore)(struct strategy *self, struct bytes_in *in);

	void (*free)(struct strategy *self);
};

/* NULL if no strategy has that name. */
struct strategy *strategy_create(const char *name, const struct strategy_params *params);
bool strategy_is_exhaustive(const char *name);
bool strategy_is_sampler(const char *name);

/* Calls each() for every line of strategies.def, in order. */
void strategy_list(void (*each)(const char *name, const char *text, void *ctx), void *ctx);

#define STRATEGY(name, create, kind, text)                                     \
	struct strategy *create(const struct strategy_params *params);
#include "strategy/strategies.def"
#undef STRATEGY

/* Around a sampler: loads also read older writes that the memory model allows (weak/old.c). Takes
 * the sampler and returns a new strategy. */
struct strategy *strategy_old_values(struct strategy *sampler,
				     const struct strategy_params *params);

#endif

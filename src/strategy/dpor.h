/* dpor.h: the parts of dpor: what is learned from a run (dpor.c), the stack (dpor_stack.c),
 * and runs that are made before their turn (dpor_ahead.c).
 *
 * The search is a tree of wake-up nodes, walked depth first. The path to the run being
 * made is the stack of `levels`; each level points to the list of branches left at its
 * place, the first of which is the path's. Branches behind the first may have grown
 * already, because their runs were made ahead; when their turn comes nothing is left
 * to do for them but to be counted.
 */
#ifndef STRATEGY_DPOR_H
#define STRATEGY_DPOR_H

#include "base/vec.h"
#include "core/order.h"
#include "strategy/strategy.h"
#include "strategy/wakeup.h"

struct level {
	struct wakeup **list;  /* branches left; the first is the one being explored */
	uint32_t sleep_start;  /* its sleep set is sleepers[sleep_start .. + sleep_len) */
	uint32_t sleep_len;
	uint32_t explored;     /* branches done */
	bool impossible;       /* the branch being explored could not be followed */
};

VEC_TYPE(level_vec, struct level);

enum { AHEAD_MAX = 16 };

struct ahead {
	struct level_vec path;         /* scratch: from the stack down to a branch */
	VEC(struct wakeup *) climbed;  /* scratch */
	VEC(struct decision) decisions;
	VEC(struct event) sleepers;
	struct wakeup *out[AHEAD_MAX]; /* the branches handed out last, */
	struct wakeup *leaves[AHEAD_MAX]; /* and the leaf of each */
	uint32_t out_len;
	uint32_t runs;                 /* made, and not yet counted */
	uint32_t window;               /* how far up the stack branches are taken from */
};

struct dpor {
	struct strategy base;
	struct wakeup *tree;
	struct level_vec levels;
	VEC(struct event) sleepers; /* the sleep sets of all levels, one after the other */
	VEC(struct event) handed;   /* those of the schedule handed out: the others move */
	VEC(struct decision) decisions;
	VEC(const struct event *) sequence; /* what is to be covered, */
	VEC(const struct event *) whole; /* scratch: the path to it, and it */
	struct event reversed;      /* the step of the sequence that goes first now, */
	struct event observer;      /* and the one that shows it, with what it takes then */
	size_t firm;                /* how much of it does not depend on how the run goes on, */
	size_t kept;                /* and how much of it is added if it is not */
	VEC(uint32_t) rest, undecided; /* scratch: steps behind the race that belong to it */
	bool stays_open;            /* other runs may have other undecided steps */
	struct ahead ahead;
	struct trace *known; /* owned: the run of the schedule handed out last, if made ahead */
	struct wakeup_pool pool;
	struct order order;
	uint32_t branch; /* the level whose choice the last schedule changed */
	uint64_t tail_seed;
	bool started;
	bool finished;
	bool observes; /* what comes later may show in which order earlier steps were */
};

static inline struct dpor *dpor_of(struct strategy *self)
{
	return (struct dpor *)self;
}

static inline const struct event *level_event(const struct level *level)
{
	return &(*level->list)->event;
}

/* The sleep set of `child`: those of `level` that its step does not wake. They go on top
 * of d->sleepers. */
void dpor_inherit_sleep(struct dpor *d, const struct level *level, struct level *child);

/* The run of the branch that is step `at` has been made. The path has its level and those
 * above it down from step `top`; the stack has what is above that. The steps of the run
 * become nodes and their levels the rest of the path; what its races show to be left is
 * added to the tree, below the branch and above it. */
void dpor_grow(struct dpor *d, struct level_vec *path, uint32_t top, uint32_t at,
	       const struct trace *trace);

void dpor_pop_level(struct dpor *d);

/* The operations of the same name. */
bool dpor_next(struct strategy *self, struct schedule *schedule, const struct trace **known);
double dpor_progress(const struct strategy *self);
uint32_t dpor_ahead(struct strategy *self, struct schedule *schedules, uint32_t max);
void dpor_offer(struct strategy *self, uint32_t i, const struct trace *trace);

/* It is the branch's turn: its run, if it was made, is the caller's. */
struct trace *dpor_ahead_take(struct dpor *d, struct wakeup *branch);

/* A branch was added somewhere. */
void dpor_ahead_note(struct dpor *d, const struct wakeup *branch);

void dpor_ahead_clear(struct dpor *d);
void dpor_ahead_release(struct dpor *d);

#endif

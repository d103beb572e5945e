/* dpor.h: the parts of dpor: learning from a run (dpor.c), the reversals of its races
 * (dpor_reversal.c), the stack (dpor_stack.c), steps that turn out to cover more (dpor_gather.c),
 * runs that are made before their turn (dpor_ahead.c), and branches that another process explores
 * before their turn (dpor_part.c; with messages dpor_checked.c). dpor_save.c writes and reads all.
 *
 * The search is a tree of wake-up nodes, walked depth first. The path to the run being
 * made is the stack of `levels`; each level points to the list of branches left at its
 * place, the first of which is the path's. Branches behind the first may have been
 * explored already, because their runs were made ahead; when their turn comes they are only
 * counted.
 */
#ifndef STRATEGY_DPOR_H
#define STRATEGY_DPOR_H

#include "base/bytes.h"
#include "base/map.h"
#include "base/vec.h"
#include "core/order.h"
#include "strategy/strategy.h"
#include "strategy/wakeup.h"

struct level {
	struct wakeup **list;  /* branches left; the first is being explored */
	uint32_t sleep_start;  /* its sleep set is sleepers[sleep_start .. + sleep_len) */
	uint32_t sleep_len;
	uint32_t slept_len;    /* how many events of `slept` this level and those above use */
	uint32_t explored;     /* branches done */
	uint32_t began;        /* pool.clock when the branch being explored began, */
	uint32_t before;       /* and when the branch explored before it did */
	bool impossible;       /* the branch being explored could not be followed */
};

VEC_TYPE(level_vec, struct level);

enum { AHEAD_MAX = 16 };

struct ahead {
	struct level_vec path;         /* scratch: from the stack down to a branch */
	VEC(struct wakeup *) climbed;  /* scratch */
	VEC(struct decision) decisions;
	uint32_t stacked; /* so many of the first are the stack's: those of other branches begin with them */
	struct event_vec sleepers;
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
	VEC(uint32_t) sleepers;     /* the sleep sets of all levels, one after the other, by number */
	struct event_vec slept;     /* the events in them. A level has most of those of the level
	                               above, and an event has 112 bytes, so there is one of each */
	struct event_vec handed;    /* a copy for the schedule handed out: d->slept moves */
	VEC(struct decision) decisions;
	VEC(const struct event *) sequence; /* the reversal that is to be covered */
	struct event reversed;      /* in the sequence: the second step of the race */
	struct event observer;      /* in the sequence: the observer, with its new feeder */
	size_t firm;                /* so many steps of it are the same in every run, */
	size_t kept;                /* and so many are added to the tree if it is not covered */
	VEC(struct wakeup *) surprises; /* scratch: steps that cover more than was known (dpor_gather.c) */
	VEC(uint32_t) rest, undecided; /* scratch: steps behind the race, see find_rest */
	VEC(uint32_t) asleep;       /* scratch: sleepers independent of what v begins with */
	VEC(uint64_t) marks; /* scratch: of the sequence */
	bool stays_open;            /* other runs may have other undecided steps */
	struct ahead ahead;
	struct trace *known; /* owned: the run of the schedule handed out last, if made ahead */
	struct wakeup_pool pool;
	struct order order;
	uint32_t branch; /* the level whose choice the last schedule changed */
	uint32_t unchanged; /* levels that were left as they are since the run before it; runs of
	                       parts that were taken in between are not known to the detectors */
	struct wakeup_out *outs; /* branches that others explore, */
	const struct dpor_others *others; /* and the others; borrowed */
	uint32_t shared;         /* of a part: so many levels are the giver's; else 0 */
	bool is_fresh;           /* of a part: its branch has not been begun */
	struct strbuf wants;     /* of a part: sequences that are wanted at the giver's levels, */
	uint32_t wants_len;      /* and how many */
	bool is_checked;         /* of a part: its giver compares what it has used */
	bool is_tangled;         /* of a part: it cannot be explored apart */
	struct map answers;      /* of a checked part: wanted before (hash) -> 1, or 2 if open */
	VEC(const struct event *) wanted; /* scratch */
	uint64_t tail_seed;
	bool started;
	bool finished;
	bool observes; /* there are messages: later steps may observe the order of earlier ones */
};

static inline struct dpor *dpor_of(struct strategy *self)
{
	return (struct dpor *)self;
}

static inline const struct event *level_event(const struct level *level)
{
	return &(*level->list)->event;
}

/* A new level below the last one. Its members go straight to where they stay: a processor waits where it
 * copies as one word what was stored in parts shortly before. */
static inline struct level *level_push(struct level_vec *path, struct wakeup **list, uint32_t began)
{
	struct level *level = vec_push(path);

	*level = (struct level){.list = list, .began = began};
	return level;
}

/* The event of d->sleepers number `place`. */
static inline const struct event *dpor_sleeper(const struct dpor *d, size_t place)
{
	return &d->slept.items[d->sleepers.items[place]];
}

/* The sleep set of `child`: the sleepers of `level` that its step does not wake. They go on top
 * of d->sleepers. */
void dpor_inherit_sleep(struct dpor *d, const struct level *level, struct level *child);

/* Adds an event to the sleep set of the level, which must be the one on top. */
void dpor_put_to_sleep(struct dpor *d, struct level *level, const struct event *event);

/* Appends the events of the level's sleep set. */
void dpor_list_sleepers(const struct dpor *d, const struct level *level, struct event_vec *out);

/* Cuts off the sleep sets behind that of the level; NULL: all. */
void dpor_cut_sleepers(struct dpor *d, const struct level *level);

/* Analyses the run of the branch at step `at`. The path has the levels from step `top` to `at`; the
 * stack has those above. The steps of the run become nodes, and their levels the rest of the path;
 * the reversals of its races are added to the tree, below the branch and above it. */
void dpor_grow(struct dpor *d, struct level_vec *path, uint32_t top, uint32_t at,
	       const struct trace *trace);

/* A run has taken the step, a timer or one that depends on less than was expected: its branch gets
 * the sequences behind it that it covers now. */
void dpor_gather(struct dpor *d, struct wakeup *step);

void dpor_pop_level(struct dpor *d);

/* How a reversal is built. A timer goes in the order of deadlines and can be kept from firing by
 * several rivals, which no access tells: of the three ways some may turn out impossible. Example:
 * a message ends the wait of the timer's owner, and the end of the test stops all timers; the
 * timer must go before both. */
enum reversal {
	REVERSAL_PLAIN, /* of a timer: without the events that it might change */
	REVERSAL_EARLY, /* of a timer: before all its rivals */
	REVERSAL_LATE,  /* of a timer: behind the events that it might change */
};

/* Is f a timer that did not fire? A timer that is due earlier may have kept it back. */
bool dpor_was_withdrawn_timer(const struct dpor *d, uint32_t second);

/* May events behind f that do not depend on e have other effects if f goes before e? */
bool dpor_may_change_others(const struct dpor *d, const struct order_race *race);

/* Finds the first pair, not before the one in *race, of a signal and a step that met it while it
 * waited, and that can go before the signal (event_was_kept_waiting). False: there is none. */
bool dpor_next_interrupted(const struct dpor *d, const struct trace *trace,
			   struct order_race *race);

/* Begins d->sequence, the reversal of the race, with the events between e and f; then the rest. */
void dpor_begin_reversal(struct dpor *d, const struct trace *trace, const struct order_race *race,
			 enum reversal how);
void dpor_build_reversal(struct dpor *d, const struct trace *trace, const struct order_race *race,
			 enum reversal how);

/* The operations of the same name. */
bool dpor_next(struct strategy *self, struct schedule *schedule, const struct trace **known);
double dpor_progress(const struct strategy *self);
void dpor_save(const struct strategy *self, struct strbuf *text);
bool dpor_load(struct strategy *self, struct bytes_in *in);
uint32_t dpor_ahead(struct strategy *self, struct schedule *schedules, uint32_t max);
void dpor_offer(struct strategy *self, uint32_t i, const struct trace *trace);

/* Of a part: notes a sequence that is wanted at a level of the giver, unless one that begins so was
 * noted before. Returns whether the race stays open. */
bool dpor_part_want(struct dpor *d, const struct level *level, uint32_t place,
		    struct wakeup_wanted wanted);

/* A run has messages for the first time: results of parts that are not checked do not count. */
void dpor_part_settle(struct dpor *d);

/* The node becomes the one that was written, with its open races. */
void dpor_part_take_node(struct dpor *d, struct wakeup *node, struct bytes_in *in);

/* Sleep sets as bytes: each as far as it is not that of the level above. */
void dpor_part_put_sleepers(struct strbuf *out, const struct event_vec *sleepers,
			    const struct event_vec *above);
void dpor_part_get_sleepers(struct dpor *d, struct level *level, const struct level *above,
			    struct bytes_in *in);

/* Adds sequences (wakeup_put_wanted) below the branch. */
void dpor_part_add_wanted(struct dpor *d, struct wakeup *branch, uint32_t len, struct bytes_in *in);

/* Hash of the text of a checked part, as it would be written now. */
uint64_t dpor_part_basis(const struct dpor *d, const struct wakeup *branch);

/* Of a checked part: a tag of this step changes; a sequence is wanted (returns whether the race
 * stays open); what the giver compares. And the giver: false, with nothing changed, if the result
 * does not count; otherwise the levels above the branch are as after the part. */
void dpor_checked_note_event(struct dpor *d, const struct event *event, uint32_t place);
bool dpor_checked_want(struct dpor *d, const struct level *level, uint32_t place,
		       struct wakeup_wanted wanted);
void dpor_checked_put(const struct dpor *d, struct strbuf *text);
bool dpor_checked_take(struct dpor *d, struct wakeup *branch, const struct wakeup_out *out,
		       struct bytes_in *in);

/* The turn of the branch has come, which is the last level. If it is out, waits for the result and
 * takes it. True: another process has explored the branch, or the first runs of it; then the stack
 * is as after the last of these runs. */
bool dpor_part_take(struct dpor *d, struct wakeup *branch);

/* The search begins anew: results of others are not wanted any more. */
void dpor_part_forget(struct dpor *d);

/* Where the branch stands in its list. */
struct wakeup **dpor_find_in_list(struct dpor *d, const struct wakeup *branch);

/* The turn of the branch has come: returns its run if it was made, for the caller to free. */
struct trace *dpor_ahead_take(struct dpor *d, struct wakeup *branch);

/* A branch was added somewhere. */
void dpor_ahead_note(struct dpor *d, const struct wakeup *branch);

void dpor_ahead_clear(struct dpor *d);
void dpor_ahead_release(struct dpor *d);

#endif

/* runs.h: every run of a search, kept as a tree of steps.
 *
 * Runs that begin alike share the nodes of their beginning. The same step of different runs is
 * kept once, under a number; whether two steps depend on each other is computed once per pair of
 * numbers (a bit in a row). Two events are the same step if actor, ordinal, kind, peer and accesses
 * agree. The values that they read or wrote do not count: the checker must not know more
 * than the dependence relation does.
 */
#ifndef CERTIFY_RUNS_H
#define CERTIFY_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "core/dependence.h"
#include "core/trace.h"

enum { RUNS_NONE = 0xffffffffu };

struct runs_node {
	uint32_t step;   /* number of its step; RUNS_NONE at the root */
	uint32_t parent; /* indices of nodes */
	uint32_t child;  /* its first child */
	uint32_t next;   /* the sibling that was added after it */
	uint32_t run;    /* that ends here, or RUNS_NONE */
};

/* A step that was announced in a run and not taken there. */
struct runs_ghost {
	uint32_t step;
	uint32_t tags_from;
	uint32_t withdrawn_by; /* position of the event that took it back; RUNS_NONE: pending */
	uint32_t opened_by; /* position of the event that it waited for (struct withdrawn), or
			     * RUNS_NONE */
};

struct runs_run {
	uint32_t leaf; /* node of its last event */
	uint32_t len;  /* events */
	uint32_t ghosts_from, ghosts_len;
	uint32_t tags_from, tags_len; /* of its events */
};

/* The steps, by number, on which one step depends. */
struct runs_row {
	uint64_t *words;
	uint32_t known; /* so many numbers were asked */
	uint32_t cap;   /* words */
};

VEC_TYPE(runs_rows, struct runs_row); /* by step */

enum runs_relation { RUNS_PLAIN, RUNS_CERTAIN, RUNS_RELATIONS };

struct runs {
	enum observers observers;
	VEC(struct event) steps;
	VEC(uint32_t) same_hash; /* by step: the next one with its hash, or RUNS_NONE */
	VEC(uint32_t) names;     /* by step: the number of its name */
	VEC(uint32_t) announced; /* by step: its number as announced; RUNS_NONE: not asked yet */
	struct runs_rows rows[RUNS_RELATIONS];
	VEC(struct runs_node) nodes;
	VEC(struct runs_run) all;
	VEC(struct runs_ghost) ghosts;
	VEC(uint32_t) tags;      /* of messages, in the order of events and their accesses */
	VEC(uint32_t) path;      /* nodes of the run that was added last */
	struct map by_hash;      /* of a step -> its number */
	struct map by_name;      /* actor and ordinal -> number of the name */
};

void runs_init(struct runs *runs, enum observers observers);
void runs_release(struct runs *runs);

/* Adds a run that came to an end of its own. */
void runs_add(struct runs *runs, const struct trace *trace);

/* The number of the step that the event is. */
uint32_t runs_step(struct runs *runs, const struct event *event);

/* The number of the step as it was announced: it may have done less. */
uint32_t runs_announced(struct runs *runs, uint32_t step);

/* The set of steps that depend on the step; it has a bit for each step known now. Valid until the
 * next call of runs_step. */
const uint64_t *runs_row(struct runs *runs, uint32_t step, enum runs_relation relation);

/* The set of steps of which `holds` is true with this one as its first event, in the same way. */
const uint64_t *runs_row_of(struct runs *runs, struct runs_rows *rows, uint32_t step,
			    bool (*holds)(const struct event *, const struct event *));
void runs_rows_release(struct runs_rows *rows);

/* The step with the tags that its messages had in a run; returns the place of the tags after it. */
uint32_t runs_tagged(const struct runs *runs, uint32_t step, uint32_t tags_from,
		     struct event *event);

/* How many tags the event has; where the tags of the events of a run end. */
uint32_t runs_tags_of(const struct event *event);
uint32_t runs_tags_end(const struct runs *runs, uint32_t run);

/* Does it depend on the run whether two steps depend on each other? */
static inline bool runs_have_tags(const struct runs *runs)
{
	return runs->observers != OBSERVERS_NONE && runs->tags.len;
}

/* The relation that holds of two steps whatever the run shows. */
static inline enum runs_relation runs_certain(const struct runs *runs)
{
	return runs_have_tags(runs) ? RUNS_CERTAIN : RUNS_PLAIN;
}

#endif

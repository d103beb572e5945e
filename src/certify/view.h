/* view.h: one run of the tree, with its dependence order by sets of positions.
 *
 * Position i is the i-th event of the run. All sets have the same number of words. Where
 * consecutive runs begin alike the sets of the beginning are kept. The steps that an event
 * depends on for certain, or by the plain relation, are kept as long as the runs have the same
 * nodes. The other steps are kept as long as the messages have the same tags, too.
 */
#ifndef CERTIFY_VIEW_H
#define CERTIFY_VIEW_H

#include "base/bitset.h"
#include "certify/runs.h"

VEC_TYPE(sets, uint64_t); /* sets of positions, one behind the other */

/* By step: the positions whose steps depend on it. */
struct view_rivals {
	VEC(uint32_t) shown; /* by step: view.shown when its set was filled in */
	struct sets sets;
};

struct view {
	struct runs *runs;
	uint32_t shown;          /* so many runs were shown, this one included */
	uint32_t len;
	uint32_t words;          /* per set of positions */
	VEC(uint32_t) nodes;     /* of the tree; of a run that is not in the tree: RUNS_NONE */
	VEC(uint32_t) steps;
	VEC(struct event) events; /* with the tags of this run */
	struct sets related[RUNS_RELATIONS]; /* earlier positions that the event depends on */
	struct sets direct;      /* sets: that it depends on in this run */
	struct sets past;        /* sets: the same, with everything that those depend on */
	struct sets behind;      /* sets: it, and later positions that depend on it; filled in
				    when asked */
	VEC(uint32_t) behind_shown; /* view.shown when that was */
	struct view_rivals rivals[RUNS_RELATIONS];
	VEC(uint64_t) hashes;    /* of the event and everything that it depends on (RUNS_PLAIN) */
	VEC(uint64_t) scratch, changed; /* of view_hash */
	VEC(uint32_t) path;      /* of view_show */
	VEC(uint32_t) positions; /* by name: where it is in the run, or RUNS_NONE */
	VEC(uint64_t) present;   /* set of the steps that are in the run */
	VEC(uint64_t) retagged, moved; /* of view_show: set of positions */
};

/* For runs of at most len_max events. */
void view_init(struct view *view, struct runs *runs, uint32_t len_max);
void view_release(struct view *view);

/* Shows run number `run` of the tree. */
void view_show(struct view *view, uint32_t run);

/* Shows a run that is not in the tree. */
void view_show_trace(struct view *view, const struct trace *trace);

/* The position and all later ones that depend on it. */
const uint64_t *view_behind(struct view *view, uint32_t position);

/* The positions whose steps depend on the step, which may be a step of another run. Valid until the
 * next call. */
const uint64_t *view_rivals(struct view *view, uint32_t step, enum runs_relation relation);

/* A hash of the events in the set and of their order, where that counts (RUNS_PLAIN). */
uint64_t view_hash(struct view *view, const uint64_t *set);

static inline const struct event *view_event(const struct view *view, uint32_t position)
{
	return &view->events.items[position];
}

static inline const uint64_t *view_related(const struct view *view, uint32_t position,
					   enum runs_relation relation)
{
	return view->related[relation].items + (size_t)position * view->words;
}

static inline const uint64_t *view_direct(const struct view *view, uint32_t position)
{
	return view->direct.items + (size_t)position * view->words;
}

static inline const uint64_t *view_past(const struct view *view, uint32_t position)
{
	return view->past.items + (size_t)position * view->words;
}

/* Where the step is in the run, or RUNS_NONE. */
static inline uint32_t view_position(const struct view *view, uint32_t step)
{
	uint32_t name = view->runs->names.items[step];

	return name < view->positions.len ? view->positions.items[name] : RUNS_NONE;
}

#endif

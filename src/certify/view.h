/* view.h: one run of the tree, with its dependence order by sets of positions.
 *
 * Position i is the i-th event of the run. All sets have the same number of words. Where
 * consecutive runs begin alike the sets of the beginning are kept.
 */
#ifndef CERTIFY_VIEW_H
#define CERTIFY_VIEW_H

#include "base/bitset.h"
#include "certify/runs.h"

VEC_TYPE(sets, uint64_t); /* sets of positions, one behind the other */

struct view {
	struct runs *runs;
	uint32_t len;
	uint32_t words;          /* per set of positions */
	VEC(uint32_t) nodes;     /* of the tree; of a run that is not in the tree: RUNS_NONE */
	VEC(uint32_t) steps;
	VEC(struct event) events; /* with the tags of this run */
	struct sets related[RUNS_RELATIONS]; /* earlier positions that the event depends on */
	struct sets direct;      /* sets: that it depends on in this run */
	struct sets past;        /* sets: the same, with everything that those depend on */
	VEC(uint32_t) path;      /* of view_show */
	VEC(uint32_t) positions; /* by name: where it is in the run, or RUNS_NONE */
};

/* For runs of at most len_max events. */
void view_init(struct view *view, struct runs *runs, uint32_t len_max);
void view_release(struct view *view);

/* Shows run number `run` of the tree. */
void view_show(struct view *view, uint32_t run);

/* Shows a run that is not in the tree. */
void view_show_trace(struct view *view, const struct trace *trace);

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

/* Is it the first of the two, or does it depend on that? */
static inline bool view_is_behind(const struct view *view, uint32_t position, uint32_t first)
{
	return position == first || (position > first && bitset_has(view_past(view, position), first));
}

/* Where the step is in the run, or RUNS_NONE. */
static inline uint32_t view_position(const struct view *view, uint32_t step)
{
	uint32_t name = view->runs->names.items[step];

	return name < view->positions.len ? view->positions.items[name] : RUNS_NONE;
}

#endif

/* find.h: does an explored run begin in a wanted way, up to swapping independent steps?
 *
 * Wanted is a set of positions of a run (the view), closed under dependence, in the order of that
 * run, and then perhaps one step more. The tree of runs is walked from the top. At each node a
 * child is followed if
 *   - it is a wanted step that depends on no wanted step before it that has not come yet, or
 *   - it is the last step, and depends on no wanted step that has not come yet, or
 *   - it is not wanted, and independent of all that has not come yet.
 * Where several children qualify all are tried, the oldest first: a search that goes through the
 * runs in order has all that begin with a step below the first branch with that step.
 *
 * If messages have tags (runs_have_tags), depend means: for certain. Which messages a run
 * distinguishes is known at its end only; there the order of all these messages is
 * compared. The children that qualify by the plain relation are tried before the others: below
 * them the order of messages is the wanted one, whatever the run shows.
 */
#ifndef CERTIFY_FIND_H
#define CERTIFY_FIND_H

#include "certify/view.h"

struct wanted {
	const uint64_t *positions;
	uint32_t last; /* step that comes after them; RUNS_NONE: none */
};

/* A message or a poll of a run. */
struct mail {
	struct event event; /* with its tags */
	uint32_t step;
	uint32_t place;     /* in the wanted order */
};

struct finder {
	uint64_t effort, effort_max; /* nodes looked at in all walks; beyond that nothing is found */
	VEC(uint64_t) left; /* sets of positions, one per depth of the walk */
	VEC(struct mail) mail; /* of the run at whose end the walk is */
};

bool find_run(struct finder *finder, struct view *view, const struct wanted *wanted);
void finder_release(struct finder *finder);

#endif

/* nearest.h: the passing run that differs least from a failing one.
 *
 * A bug of timing is understood when its reader knows which two steps are in the wrong order. So
 * for each pair of steps that race in the failing run, the later one is put before the earlier
 * one, and the rest of the run is followed as far as possible. The first such run that ends well
 * is kept, with the pair:
 *
 *	failing:  A lock x   B lock y   A waits for y   B waits for x
 *	pair:     "B lock x" before "A lock x"
 *	passing:  B lock x … B unlock x   A lock x …
 *
 * Pairs at the end of the run are tried first, because the beginning of the run is then the same.
 * If no pair helps, another actor is let go first at each step, from the last step to the first.
 */
#ifndef EXPLORE_NEAREST_H
#define EXPLORE_NEAREST_H

#include "explore/found.h"

/* Fills in found->passing, if a passing run is found within the budget. The tries are made in the
 * spare instance; found->trace must be a run of found->decisions. */
void nearest_find(struct spare *spare, struct found *found, const struct shrink_budget *budget,
		  uint64_t *runs);

#endif

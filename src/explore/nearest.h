/* nearest.h: the passing run that differs least from a failing one.
 *
 * A bug of timing is understood when its reader knows which two steps are in the wrong order. Going
 * back from the end of the failing run, each step is made to wait: its actor stands still before
 * the step until the others have taken all steps whose order with it matters. The rest of the run
 * is followed as far as possible. At the first step where such a run ends well, the wait is made as
 * short as possible; the step that is waited for is the other one of the pair:
 *
 *	failing:  A reads n   B reads n   B writes n + 1   A writes n + 1
 *	pair:     "A writes" before "B reads"
 *	passing:  A reads n   A writes n + 1   B reads …
 *
 * The pair is the write of one actor and the check of another one, where there are such steps. To
 * swap the two checks (B reads n first) is not enough: that run fails as before.
 *
 * The later the step that waits, the longer is the beginning that both runs have in common. If no
 * wait helps, each pair of steps that race is swapped. After that, in programs with processes,
 * another process goes as far as it can before each step. At last another actor goes first, from
 * the last step to the first one. The rest of the run may fail by a second order of the same kind,
 * whatever comes first; then each step is made to wait once more, and the rest is random:
 * found_pair.is_loose. A passing run in which a message arrives when the test is over says nothing
 * about the bug: it is kept only if no other run passes.
 */
#ifndef EXPLORE_NEAREST_H
#define EXPLORE_NEAREST_H

#include "explore/found.h"

/* Fills in found->passing, if a passing run is found within the budget. The tries are made in the
 * spare instance; found->trace must be a run of found->decisions. */
void nearest_find(struct spare *spare, struct found *found, const struct shrink_budget *budget,
		  uint64_t *runs);

#endif

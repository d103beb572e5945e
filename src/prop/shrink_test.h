/* shrink_test.h: the smallest test that still fails (PULSE paper, section 6).
 *
 * Each step looks at all tests one step smaller (candidates.h) and goes on with the first
 * that fails in the same way. A candidate can fail and not be seen to, so how each is run
 * decides time and quality (enum prop_shrinking). What the paper left to future work is the
 * default: every candidate once with the schedule of its parent, then one schedule of the
 * strategy each, and so on round by round, so that no time goes into the many candidates
 * that cannot fail before the others had their chance.
 */
#ifndef PROP_SHRINK_TEST_H
#define PROP_SHRINK_TEST_H

#include "prop/attempt.h"

/* Replaces *failure by a smaller one as long as there is one and the budget lasts. False
 * with err if the world or the model is wrong. */
bool shrink_test(struct model *model, const struct prop_options *options, struct failure *failure,
		 struct prop_result *counts, struct err *err);

#endif

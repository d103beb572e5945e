/* shrink_test.h: finds a smaller test that still fails (PULSE paper, section 6).
 *
 * Each step tries all tests that are one step smaller (candidates.h) and continues with the first
 * that fails in the same way. A candidate fails only under some schedules, so the choice of the
 * schedules decides how long shrinking takes and how small the test becomes (enum prop_shrinking).
 * The default is an idea that the paper left to future work: run every candidate once with the
 * schedule of its parent, then each with one schedule of the strategy, and so on round by round.
 * So little time is spent on candidates that cannot fail before the others have had a chance.
 */
#ifndef PROP_SHRINK_TEST_H
#define PROP_SHRINK_TEST_H

#include "prop/attempt.h"

/* Replaces *failure by a smaller one as long as there is one and the budget lasts. False
 * with err if the world or the model is wrong. */
bool shrink_test(struct model *model, const struct prop_options *options, double seconds,
		 struct failure *failure, struct prop_result *counts, struct err *err);

#endif

/* judge.h: the target that prop_target_create() makes, seen by the rest of this folder.
 *
 * It stands around the back end's target: runs the test that is installed, takes the outcomes of
 * its calls, looks for an order that explains them (linear.h) and puts a notice into the trace if
 * there is none. To the explorer it is a target like others, so that a test that fails is
 * confirmed, shortened, saved and replayed like any finding; what is asked here is what only
 * properties want to know.
 */
#ifndef PROP_JUDGE_H
#define PROP_JUDGE_H

#include "prop/prop.h"

/* Of the last run. */
const struct prop_outcome *judge_outcomes(const struct target *self);

/* Runs so far whose search for an order was cut short. */
uint64_t judge_undecided(const struct target *self);

/* Whose test it is: another model's than the one it was created for, if again() made it. */
struct model *judge_model(const struct target *self);
const struct prop_test *judge_test(const struct target *self);

#endif

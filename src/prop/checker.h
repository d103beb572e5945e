/* checker.h: the target that prop_target_create() makes, seen by the rest of this folder.
 *
 * It stands around the back end's target: runs the test that is installed, takes the outcomes of
 * its calls, looks for an order that explains them (linear.h) and puts a notice into the trace if
 * no order does. To the explorer it is a target like others, so that a failing test is
 * confirmed, shortened, saved and replayed like any finding. The functions below are for this
 * folder only.
 */
#ifndef PROP_CHECKER_H
#define PROP_CHECKER_H

#include "prop/prop.h"

/* The test, and its outcomes in the last run. */
const struct prop_outcome *checker_outcomes(const struct target *self);

/* Runs so far whose search for an order was cut short. */
uint64_t checker_undecided(const struct target *self);

/* The model of the test. If again() made the target, that is a fresh model. */
struct model *checker_model(const struct target *self);
const struct prop_test *checker_test(const struct target *self);

#endif

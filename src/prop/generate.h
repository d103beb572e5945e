/* generate.h: a random parallel test that its model allows.
 *
 * First the prefix, call by call from the state it has led to; then the branches, each from
 * the state after the prefix and what the branch itself has done. A call stays only if the
 * preconditions then hold in every order of the branches. The same seed gives the same test.
 */
#ifndef PROP_GENERATE_H
#define PROP_GENERATE_H

#include "prop/prop.h"

/* False with err if the model is wrong, or if no call or no test that it accepts can be generated.
 * *discarded counts the calls that did not meet their preconditions or were in a refused test. */
bool generate_test(struct model *model, const struct prop_options *options, uint64_t seed,
		   struct prop_test *test, uint64_t *discarded, struct err *err);

#endif

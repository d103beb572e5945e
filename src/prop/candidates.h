/* candidates.h: the tests one step smaller than a test, the most promising first.
 *
 * The order is that of the PULSE paper. First leave out whole branches; then pieces of the
 * prefix and of the branches (halves, quarters … single calls, pairs of calls). Then move a
 * branch's first call to the end of the prefix. Then leave out a call whose result is used, and
 * use the result of another call instead. Last, make arguments simpler. In the other steps a
 * call that uses the result of a call that is left out is left out, too. Only tests that the
 * model allows are kept.
 */
#ifndef PROP_CANDIDATES_H
#define PROP_CANDIDATES_H

#include "base/vec.h"
#include "prop/prop.h"

struct candidate {
	struct prop_test test;
	/* Where its calls come from: indices into the larger test. */
	uint32_t from[PROP_CALLS_MAX];
	/* Which branch of the larger test is now number b; [0] is 0. */
	uint32_t branch_from[PROP_BRANCHES_MAX + 1];
};

VEC_TYPE(candidate_vec, struct candidate);

/* Fills in *out (cleared first). The first *fewer_len have fewer calls or fewer in parallel, the
 * others only simpler arguments. False with err if the model is wrong. */
bool candidates_of(struct model *model, const struct prop_test *test, struct candidate_vec *out,
		   size_t *fewer_len, struct err *err);

#endif

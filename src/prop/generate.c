#include "prop/generate.h"

#include "base/rng.h"
#include "prop/linear.h"

/* Tries to generate a call before the branch stays as it is, and before the model is reported as
 * one that allows no call; and whole tests before it is reported as one that accepts none. */
enum { TRIES = 20, TRIES_AT_FIRST = 1000, TESTS_REFUSED = 200, ALLOW_STEPS = 20000 };

struct generator {
	struct model *model;
	struct prop_test *test;
	struct rng rng;
	uint64_t discarded;
	struct err *err;
};

/* The state after the prefix and what branch b has so far. */
static bool state_of(struct generator *g, uint32_t b, uint32_t *state)
{
	if (g->model->ops->initial(g->model, state, g->err) != PROP_YES)
		return false;
	for (uint32_t i = 0; i < g->test->len; i++) {
		const struct prop_call *call = &g->test->calls[i];

		if ((call->branch == 0 || call->branch == b) &&
		    g->model->ops->step(g->model, *state, call->handle, PROP_SYMBOLIC, state,
					g->err) == PROP_FAILED)
			return false;
	}
	return true;
}

/* Appends one call to branch b, if a try gives one that is allowed. */
static enum prop_answer add_call(struct generator *g, uint32_t b, uint32_t state, uint32_t tries)
{
	struct prop_test *test = g->test;

	while (tries-- > 0) {
		struct prop_call *call = &test->calls[test->len];
		enum linear_answer allowed;
		enum prop_answer answer;

		answer = g->model->ops->generate(g->model, state, test, b, rng_next(&g->rng),
						 &call->handle, g->err);
		if (answer == PROP_FAILED)
			return PROP_FAILED;
		if (answer == PROP_YES) {
			call->branch = b;
			test->len++;
			allowed = linear_allow(g->model, test, ALLOW_STEPS, g->err);
			if (allowed == LINEAR_YES || allowed == LINEAR_FAILED)
				return allowed == LINEAR_YES ? PROP_YES : PROP_FAILED;
			test->len--;
		}
		g->discarded++;
	}
	return PROP_NO;
}

static bool add_calls(struct generator *g, uint32_t b, uint32_t wanted)
{
	for (uint32_t n = 0; n < wanted && g->test->len < PROP_CALLS_MAX; n++) {
		enum prop_answer answer;
		uint32_t state;

		if (!state_of(g, b, &state))
			return false;
		answer = add_call(g, b, state, g->test->len ? TRIES : TRIES_AT_FIRST);
		if (answer == PROP_NO && !g->test->len)
			return err_set(g->err, "no test can be generated: in %d tries no generated "
				       "call met its precondition", TRIES_AT_FIRST);
		if (answer != PROP_YES)
			return answer == PROP_NO;
	}
	return true;
}

/* A test that may be refused as a whole. */
static bool fill(struct generator *g, const struct prop_options *options)
{
	uint32_t branches = 2 + (uint32_t)rng_below(&g->rng, options->branches - 1);
	bool ok;

	*g->test = (struct prop_test){.branches_len = branches};
	ok = add_calls(g, 0, (uint32_t)rng_below(&g->rng, options->prefix_max + 1));
	for (uint32_t b = 1; b <= branches && ok; b++)
		ok = add_calls(g, b, 1 + (uint32_t)rng_below(&g->rng, options->branch_max));
	return ok;
}

bool generate_test(struct model *model, const struct prop_options *options, uint64_t seed,
		   struct prop_test *test, uint64_t *discarded, struct err *err)
{
	struct generator g = {.model = model, .test = test, .rng = rng_seeded(seed), .err = err};
	enum prop_answer accepted = PROP_NO;

	for (uint32_t tries = 0; tries < TESTS_REFUSED && accepted == PROP_NO; tries++) {
		if (!fill(&g, options))
			accepted = PROP_FAILED;
		else
			accepted = model->ops->accepts ? model->ops->accepts(model, test, err)
						       : PROP_YES;
		g.discarded += accepted == PROP_NO ? test->len : 0;
	}
	*discarded += g.discarded;
	if (accepted == PROP_NO)
		return err_set(err, "no test can be generated: the property discarded %d tests in a "
			       "row without running their calls (?IMPLIES, ?SUCHTHAT)",
			       TESTS_REFUSED);
	return accepted == PROP_YES;
}

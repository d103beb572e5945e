/* linear.c: orders that explain, orders that are allowed, and the tests made up from them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "prop/generate.h"
#include "prop/linear.h"
#include "register.h"

enum { PLENTY = 1000000 };

static struct prop_outcome gave(int number)
{
	return (struct prop_outcome){.progress = PROP_RETURNED,
				     .value = (uint32_t)(REGISTER_ZERO + number)};
}

static void two_adds(void **state)
{
	struct register_model m = register_model();
	struct prop_test test = {0};
	struct prop_outcome right[] = {gave(1), gave(3), gave(2)};
	struct prop_outcome wrong[] = {gave(1), gave(2), gave(2)};

	register_add(&test, 0, REGISTER_ADD, 1);
	register_add(&test, 1, REGISTER_ADD, 1);
	register_add(&test, 2, REGISTER_ADD, 1);
	assert_int_equal(linear_explain(&m.base, &test, right, PLENTY, NULL), LINEAR_YES);
	assert_int_equal(linear_explain(&m.base, &test, wrong, PLENTY, NULL), LINEAR_NO);
}

/* The order within a branch counts, also when another order would explain it. */
static void order_of_a_branch(void **state)
{
	struct register_model m = register_model();
	struct prop_test test = {0};
	struct prop_outcome outcomes[] = {gave(1), gave(0), gave(1)};

	register_add(&test, 1, REGISTER_GET, 0);
	register_add(&test, 1, REGISTER_GET, 0);
	register_add(&test, 2, REGISTER_ADD, 1);
	assert_int_equal(linear_explain(&m.base, &test, outcomes, PLENTY, NULL), LINEAR_NO);
}

static void a_cut_search_says_so(void **state)
{
	struct register_model m = register_model();
	struct prop_test test = {0};
	struct prop_outcome outcomes[] = {gave(1), gave(2), gave(2)};

	for (uint32_t b = 1; b <= 3; b++)
		register_add(&test, b, REGISTER_ADD, 1);
	assert_int_equal(linear_explain(&m.base, &test, outcomes, 2, NULL), LINEAR_UNDECIDED);
	m.is_broken = true;
	assert_int_equal(linear_explain(&m.base, &test, outcomes, PLENTY, NULL), LINEAR_FAILED);
}

/* Four branches of six equal calls: 10^12 orders, and no more nodes than places. */
static void nodes_are_visited_once(void **state)
{
	struct register_model m = register_model();
	struct prop_outcome outcomes[PROP_CALLS_MAX];
	struct prop_test test = {0};

	for (uint32_t i = 0; i < 24; i++) {
		register_add(&test, 1 + i / 6, REGISTER_ADD, 0);
		outcomes[i] = gave(i == 23);
	}
	assert_int_equal(linear_explain(&m.base, &test, outcomes, PLENTY, NULL), LINEAR_NO);
	assert_true(m.steps <= 4 * 7 * 7 * 7 * 7);
}

/* ---- against a search that remembers nothing ---- */

static bool explains(const struct prop_test *test, const struct prop_outcome *outcomes,
		     struct places *p, uint32_t state, struct register_model *m)
{
	if (p->done == test->len)
		return true;
	for (uint32_t b = 0; b <= test->branches_len; b++) {
		uint32_t i, next;
		bool found;

		if (!places_can(p, b))
			continue;
		i = places_take(p, b);
		found = m->base.ops->step(&m->base, state, test->calls[i].handle,
					  outcomes[i].value, &next, NULL) == PROP_YES &&
			explains(test, outcomes, p, next, m);
		places_back(p, b);
		if (found)
			return true;
	}
	return false;
}

/* Random tests with the results of a random order, one of them spoilt now and then. */
static void make_outcomes(const struct prop_test *test, struct rng *rng, struct register_model *m,
			  struct prop_outcome *outcomes)
{
	struct places p = places_start(test);
	uint32_t state = REGISTER_ZERO;

	while (p.done < test->len) {
		uint32_t b = (uint32_t)rng_below(rng, test->branches_len + 1), i;

		if (!places_can(&p, b))
			continue;
		i = places_take(&p, b);
		m->base.ops->step(&m->base, state, test->calls[i].handle, PROP_SYMBOLIC, &state,
				  NULL);
		outcomes[i] = (struct prop_outcome){.progress = PROP_RETURNED, .value = state};
	}
	if (rng_below(rng, 3))
		outcomes[rng_below(rng, test->len)].value += 1 - 2 * (uint32_t)rng_below(rng, 2);
}

static void same_as_without_memory(void **state)
{
	struct prop_options options = {.prefix_max = 2, .branch_max = 3, .branches = 3};
	struct register_model m = register_model();
	struct rng rng = rng_seeded(1);
	uint64_t discarded = 0, found[2] = {0};

	for (uint64_t seed = 0; seed < 2000; seed++) {
		struct prop_outcome outcomes[PROP_CALLS_MAX];
		struct places p;
		struct prop_test test;
		bool expected;

		assert_true(generate_test(&m.base, &options, seed, &test, &discarded, NULL));
		make_outcomes(&test, &rng, &m, outcomes);
		p = places_start(&test);
		expected = explains(&test, outcomes, &p, REGISTER_ZERO, &m);
		assert_int_equal(linear_explain(&m.base, &test, outcomes, PLENTY, NULL),
				 expected ? LINEAR_YES : LINEAR_NO);
		found[expected]++;
	}
	assert_true(found[0] > 100 && found[1] > 100);
}

/* ---- what is allowed and made up ---- */

static void preconditions_hold_in_every_order(void **state)
{
	struct register_model m = register_model();
	struct prop_test test = {0};

	register_add(&test, 0, REGISTER_ADD, 1);
	register_add(&test, 1, REGISTER_TAKE, 1);
	assert_int_equal(linear_allow(&m.base, &test, PLENTY, NULL), LINEAR_YES);
	register_add(&test, 2, REGISTER_TAKE, 1);
	assert_int_equal(linear_allow(&m.base, &test, PLENTY, NULL), LINEAR_NO);
}

static void made_up_tests(void **state)
{
	struct prop_options options = {.prefix_max = 3, .branch_max = 2, .branches = 4};
	struct register_model m = register_model();
	uint64_t discarded = 0;
	bool seen[5] = {0};

	for (uint64_t seed = 0; seed < 300; seed++) {
		struct prop_test test, again;

		assert_true(generate_test(&m.base, &options, seed, &test, &discarded, NULL));
		assert_true(generate_test(&m.base, &options, seed, &again, &discarded, NULL));
		assert_memory_equal(&test, &again, sizeof(test));
		assert_true(test.branches_len >= 2 && test.branches_len <= 4);
		assert_true(places_start(&test).first[1] <= 3);
		assert_int_equal(linear_allow(&m.base, &test, PLENTY, NULL), LINEAR_YES);
		seen[test.branches_len] = true;
	}
	assert_true(discarded > 0 && seen[2] && seen[3] && seen[4]);
}

static void nothing_can_be_made_up(void **state)
{
	struct prop_options options = {.prefix_max = 3, .branch_max = 2, .branches = 2};
	struct register_model m = register_model();
	uint64_t discarded = 0;
	struct prop_test test;
	struct err err = {0};

	m.allows_nothing = true;
	assert_false(generate_test(&m.base, &options, 1, &test, &discarded, &err));
	assert_non_null(strstr(err.message, "precondition"));
	m.is_broken = true;
	assert_false(generate_test(&m.base, &options, 1, &test, &discarded, &err));
	assert_string_equal(err.message, "broken");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_adds),
		cmocka_unit_test(order_of_a_branch),
		cmocka_unit_test(a_cut_search_says_so),
		cmocka_unit_test(nodes_are_visited_once),
		cmocka_unit_test(same_as_without_memory),
		cmocka_unit_test(preconditions_hold_in_every_order),
		cmocka_unit_test(made_up_tests),
		cmocka_unit_test(nothing_can_be_made_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The rules for access modes: each mode has one, conflicts are symmetric, and a mode opens a door
 * for or feeds only modes that it conflicts with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "core/dependence.h"

static void test_conflicts_are_symmetric(void **state)
{
	for (uint32_t a = 0; a < ACCESS_MODES; a++)
		for (uint32_t b = 0; b < a; b++)
			if (access_modes_conflict(a, b) != access_modes_conflict(b, a))
				fail_msg("%s and %s conflict one way only", access_mode_text(a),
					 access_mode_text(b));
	(void)state;
}

static void test_doors_and_food_are_conflicts(void **state)
{
	for (uint32_t a = 0; a < ACCESS_MODES; a++) {
		const struct access_rule *rule = &access_rules[a];

		if ((rule->opens | rule->feeds) & ~rule->conflicts)
			fail_msg("%s opens or feeds what it does not conflict with",
				 access_mode_text(a));
	}
	(void)state;
}

static void test_every_mode_has_a_rule(void **state)
{
	for (uint32_t a = 0; a < ACCESS_MODES; a++)
		if (!(access_mode_conflicts(a) & ~(1u << ACCESS_WORLD)))
			fail_msg("%s conflicts with nothing: is its rule missing?",
				 access_mode_text(a));
	(void)state;
}

static void test_looks_commute(void **state)
{
	for (uint32_t a = 0; a < ACCESS_MODES; a++)
		for (uint32_t b = 0; b < ACCESS_MODES; b++)
			if (access_mode_looks(a) && access_mode_looks(b) && a != ACCESS_JOIN &&
			    access_modes_conflict(a, b))
				fail_msg("%s and %s only look, and conflict", access_mode_text(a),
					 access_mode_text(b));
	(void)state;
}

static void test_looks_do_not_write(void **state)
{
	for (uint32_t a = 0; a < ACCESS_MODES; a++)
		if (access_mode_looks(a) && (access_mode_writes(a) || access_rules[a].feeds))
			fail_msg("%s looks and writes", access_mode_text(a));
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_conflicts_are_symmetric),
		cmocka_unit_test(test_doors_and_food_are_conflicts),
		cmocka_unit_test(test_every_mode_has_a_rule),
		cmocka_unit_test(test_looks_commute),
		cmocka_unit_test(test_looks_do_not_write),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

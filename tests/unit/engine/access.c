/* The table of access modes: who conflicts with whom is symmetric, and only what conflicts can open
 * a door for another or feed it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "core/access.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_conflicts_are_symmetric),
		cmocka_unit_test(test_doors_and_food_are_conflicts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* progress_estimate: an estimate is shown when the last four agree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/search/progress.h"

/* Of a search that has done this share after a million executions. */
static bool is_shown(struct progress *p, double estimate)
{
	double shown = progress_estimate(p, 1000000, 1000000 / estimate);

	assert_true(shown == 0 || shown == p->estimate);
	return shown > 0;
}

static void test_estimates_are_shown_when_they_agree(void **state)
{
	struct progress p = {0};

	assert_false(is_shown(&p, 1000000000));
	assert_false(is_shown(&p, 1100000000));
	assert_false(is_shown(&p, 1200000000));
	assert_true(is_shown(&p, 1300000000)); /* four within a factor of 1.5 */
	assert_false(is_shown(&p, 50000000000));
	assert_false(is_shown(&p, 51000000000));
	assert_false(is_shown(&p, 52000000000));
	assert_true(is_shown(&p, 53000000000)); /* those before do not count any more */
}

static void test_estimates_that_grow_are_never_shown(void **state)
{
	struct progress p = {0};

	for (double estimate = 2e6; estimate < 1e18; estimate *= 2)
		assert_false(is_shown(&p, estimate));
}

static void test_nothing_is_known_without_a_share(void **state)
{
	struct progress p = {0};

	for (int i = 0; i < 8; i++)
		assert_true(progress_estimate(&p, 1000, -1) == 0);
	assert_true(progress_estimate(&p, 1000, 1) == 0); /* all is done */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_estimates_are_shown_when_they_agree),
		cmocka_unit_test(test_estimates_that_grow_are_never_shown),
		cmocka_unit_test(test_nothing_is_known_without_a_share),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

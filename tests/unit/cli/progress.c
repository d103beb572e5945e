/* progress_converges: an estimate is shown when the last four agree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/progress.h"

static void test_estimates_are_shown_when_they_agree(void **state)
{
	struct progress p = {0};

	assert_false(progress_converges(&p, 100));
	assert_false(progress_converges(&p, 110));
	assert_false(progress_converges(&p, 120));
	assert_true(progress_converges(&p, 130)); /* four within a factor of 1.5 */
	assert_false(progress_converges(&p, 5000));
	assert_false(progress_converges(&p, 5100));
	assert_false(progress_converges(&p, 5200));
	assert_true(progress_converges(&p, 5300)); /* those before do not count any more */
}

static void test_estimates_that_grow_are_never_shown(void **state)
{
	struct progress p = {0};

	for (double estimate = 1; estimate < 1e12; estimate *= 2)
		assert_false(progress_converges(&p, estimate));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_estimates_are_shown_when_they_agree),
		cmocka_unit_test(test_estimates_that_grow_are_never_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

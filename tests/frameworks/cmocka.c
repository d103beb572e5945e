#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "counter.h"

static void loses_an_update(void **state) { assert_int_equal(count_twice(bump), 2); }
static void works(void **state) { assert_int_equal(count_twice(add), 2); }
static void crashes(void **state) { count_twice(crash); }

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loses_an_update),
		cmocka_unit_test(works),
		cmocka_unit_test(crashes),
	};

	return cmocka_run_group_tests_name("counter", tests, NULL, NULL);
}

#include <check.h>

#include "counter.h"

START_TEST(loses_an_update) { ck_assert_int_eq(count_twice(bump), 2); }
END_TEST
START_TEST(works) { ck_assert_int_eq(count_twice(add), 2); }
END_TEST
START_TEST(crashes) { count_twice(crash); }
END_TEST

int main(void)
{
	Suite *suite = suite_create("counter");
	TCase *group = tcase_create("core");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(group, loses_an_update);
	tcase_add_test(group, works);
	tcase_add_test(group, crashes);
	suite_add_tcase(suite, group);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}

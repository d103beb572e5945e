#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "native/functions.h"

static const char *effects(const char *name)
{
	const struct function *found = function_find(name);

	assert_non_null(found);
	return found->effects;
}

static void test_rows(void **state)
{
	assert_true(function_find("pthread_mutex_lock")->is_intercepted);
	assert_string_equal(effects("strtok"), "b1s r2s Hstrtok");
	assert_string_equal(effects("sinf128"), "");
	assert_string_equal(effects("stdout"), "-");
	assert_string_equal(effects("_ZTVSt9exception"), "-");
	assert_null(function_find("deflate"));
	assert_null(function_find("sinful"));
	/* A special row stands before the pattern that it is an exception to. */
	assert_string_equal(effects("getenv"), "r1s henvironment");
	assert_string_equal(effects("lgamma_r"), "w1#4");
}

static void test_questions(void **state)
{
	assert_true(function_needs_stub(NULL));
	assert_true(function_is_unknown(NULL));
	assert_true(function_needs_stub(function_find("msgget")));
	assert_true(function_is_unknown(function_find("msgget")));
	assert_true(function_needs_stub(function_find("atoi")));
	assert_false(function_is_unknown(function_find("atoi")));
	assert_false(function_needs_stub(function_find("cos")));
	assert_false(function_needs_stub(function_find("environ")));
	assert_false(function_needs_stub(function_find("malloc")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_questions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

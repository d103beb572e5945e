/* Names of functions for people. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "native/demangle.h"

static void expect(const char *name, size_t room, const char *wanted)
{
	struct strbuf out = {0};

	demangle_add(&out, name, room);
	assert_string_equal(strbuf_text(&out), wanted);
	strbuf_release(&out);
}

static void test_names(void **state)
{
	(void)state;
	expect("_ZNSt12__basic_fileIcED1Ev", 184, "std::__basic_file<char>::~__basic_file()");
	expect("memfrob", 184, "memfrob");
	expect("memfrobnicate", 7, "memfrob"); /* an array that is full has no NUL */
	expect("_ZNSt12__basic_fileIcED1Ev", 10, "_ZNSt12__b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_names)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The first failed check in the output of each test framework, in one line with its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "detect/framework.h"

static void test_each_framework(void **state)
{
	static const char *const cases[][2] = {
		{"[ RUN      ] Counter.Works\nc.cc:13: Failure\nExpected equality of these values:\n"
		 "  c.value\n    Which is: 1\n  2\nan update was lost\n[  FAILED  ] Counter.Works\n",
		 "c.cc:13: Expected equality of these values: c.value, Which is: 1, 2, an update was lost"},
		{"unknown file: Failure\nC++ exception with description \"no\" thrown in the test body.\n",
		 "C++ exception with description \"no\" thrown in the test body."},
		{"-----\nc.cc:8\n.....\n\n../c.cc:9: FAILED:\n  CHECK( x == 2 )\nwith expansion:\n  1 == 2\n"
		 "\n======\n",
		 "../c.cc:9: CHECK( x == 2 ), with expansion: 1 == 2"},
		{"c.cc:8: ERROR: CHECK( x == 2 ) is NOT correct!\n  values: CHECK( 1 == 2 )\n\n",
		 "c.cc:8: CHECK( x == 2 ) is NOT correct! values: CHECK( 1 == 2 )"},
		{"c.cc:8: FATAL ERROR: REQUIRE( ok ) is NOT correct!\n",
		 "c.cc:8: REQUIRE( ok ) is NOT correct!"},
		{"0%: Checks: 1, Failures: 1, Errors: 0\nc.c:10:F:core:lost:0: Assertion 'v == 2' failed\n",
		 "c.c:10: Assertion 'v == 2' failed"},
		{"[  ERROR   ] --- 0x1 != 0x2\n[   LINE   ] --- c.c:12: error: Failure!\n",
		 "c.c:12: 0x1 != 0x2"},
		{"a.c:1:F:x:y:0: first\nb.c:2:F:x:y:0: second\n", "a.c:1: first"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char message[256];

		assert_true(framework_failure(cases[i][0], strlen(cases[i][0]), message,
					      sizeof(message)));
		assert_string_equal(message, cases[i][1]);
	}
}

static void test_other_output(void **state)
{
	static const char *const outputs[] = {
		"", "Failure\n", ": Failure\n", "c.cc: Failure\n", "c.cc:x: Failure\n",
		"c.cc:12: Failure is an option\n", "all is well\n", "12:F:\n", "c.c:12:F:core\n",
		"[  ERROR   ] --- a\n", "[  ERROR   ] --- a\n[   LINE   ] --- b\n",
	};

	for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++) {
		char message[64];

		if (framework_failure(outputs[i], strlen(outputs[i]), message, sizeof(message)))
			fail_msg("%s: %s", outputs[i], message);
	}
}

/* A long message is cut, and nothing is written behind its end. */
static void test_room(void **state)
{
	static const char output[] = "c.cc:13: Failure\na long line that does not fit\n";
	char message[16] = "###############";

	assert_true(framework_failure(output, strlen(output), message, 12));
	assert_string_equal(message, "c.cc:13: a ");
	assert_string_equal(message + 12, "###");
}

static void test_place(void **state)
{
	size_t len;
	unsigned line;

	assert_true(framework_place("src/a:b.cc:13: text", &len, &line));
	assert_int_equal(len, strlen("src/a:b.cc"));
	assert_int_equal(line, 13);
	assert_false(framework_place("C++ exception", &len, &line));
	assert_false(framework_place("", &len, &line));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_framework),
		cmocka_unit_test(test_other_output),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

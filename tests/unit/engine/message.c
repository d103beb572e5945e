/* Lines, addresses and processes do not make another reason; the program's own words do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>

#include "detect/message.h"

static void test_numbers_do_not_count(void **state)
{
	static const char *const same[][2] = {
		{"bank.c:12: main: Assertion `n == 2' failed",
		 "bank.c:97: main: Assertion `n == 3' failed"},
		{"P1.2: exits with {badmatch,17}", "P1.13: exits with {badmatch,4}"},
		{"crash: read at address 0x7fff0010", "crash: read at address 0x10"},
		{"<0.81.0> is gone", "<0.5668.2> is gone"},
	};

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		assert_int_equal(message_hash(same[i][0]), message_hash(same[i][1]));
}

static void test_reasons_count(void **state)
{
	static const char *const different[][2] = {
		{"P1: exits with {error,a}", "P1: exits with {error,b}"},
		{"the program ended with status 3", "the program ended with status 4"},
		{"the program ended with status 3", "the program ended with status 33"},
		{"ended with status 33", "ended with status 34"},
		{"main: Assertion `a' failed", "main: Assertion `b' failed"},
		{"n = 1", "n = 1, m = 2"},
	};

	for (size_t i = 0; i < sizeof(different) / sizeof(different[0]); i++)
		assert_int_not_equal(message_hash(different[i][0]), message_hash(different[i][1]));
}

static void test_numbers_of_reasons(void **state)
{
	static const struct {
		const char *a, *b;
		bool is_same;
	} pairs[] = {
		{"P1: exits with {bad,1}", "P1: exits with {bad,2}", false},
		{"P1.2: exits with {bad,1}", "P1.13: exits with {bad,1}", true},
		{"P1: exits with 1", "P1: exits with 2", false},
		{"P1: exits with -1", "P1: exits with 1", false},
		{"P1: exits with [1,2]", "P1: exits with [1,3]", false},
		{"P1: exits with #{a => 1}", "P1: exits with #{a => 2}", false},
		{"P1: exits with {noproc,<0.81.0>}", "P1: exits with {noproc,<0.5.0>}", true},
		{"P1: exits with {x,[{m,f,0,[{line,7}]}]}", "P1: exits with {x,[{m,f,0,[{line,8}]}]}",
		 true},
		{"P1: exits with {at,1700000001}", "P1: exits with {at,1700000002}", true},
		{"P1: exits with {took,1.5}", "P1: exits with {took,2.5}", true},
		{"bank.c:12: main: Assertion `n == 2' failed", "bank.c:97: main: Assertion `n == 2' failed",
		 true},
		{"bank.c:12: main: Assertion `n == 2' failed", "bank.c:12: main: Assertion `n == 3' failed",
		 false},
		{"/a/bank.c:12: main: Assertion `n' failed", "b/c/bank.c:12: main: Assertion `n' failed",
		 true},
		{"uncaught exception: it came to 17", "uncaught exception: it came to 4", true},
		{"the program ended with status 3", "the program ended with status 33", false},
		{"crash: read at address 0x7fff0010", "crash: read at address 0x10", true},
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if ((message_reason_hash(pairs[i].a) == message_reason_hash(pairs[i].b)) !=
		    pairs[i].is_same)
			fail_msg("%s, %s", pairs[i].a, pairs[i].b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers_do_not_count),
		cmocka_unit_test(test_reasons_count),
		cmocka_unit_test(test_numbers_of_reasons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

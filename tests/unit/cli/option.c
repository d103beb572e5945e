/* Options of `fermata test`: values, ranges, where they come from, and one line for each mistake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <stdlib.h>

#include "cli/option.h"
#include "core/finding.h"

/* Parses words up to the first that is not an option; false with err. */
static bool parse(struct test_options *o, struct err *err, int *at, ...)
{
	char *argv[16];
	int argc = 0;
	va_list words;
	bool ok = true;

	va_start(words, at);
	while ((argv[argc] = va_arg(words, char *)) != NULL)
		argc++;
	va_end(words);
	*err = (struct err){0};
	option_defaults(o);
	for (*at = 0; ok && *at < argc;) {
		int before = *at;

		ok = option_parse(o, argc, argv, at, err);
		if (*at == before)
			break;
	}
	return ok;
}

#define ACCEPT(...) assert_true(parse(&o, &err, &at, __VA_ARGS__, NULL))
#define REFUSE(words, ...)                                                     \
	do {                                                                   \
		assert_false(parse(&o, &err, &at, __VA_ARGS__, NULL));         \
		if (!strstr(err.message, words))                               \
			fail_msg("\"%s\" does not say \"%s\"", err.message, words);  \
	} while (0)

static struct test_options o;
static struct err err;
static int at;

static void test_values(void **state)
{
	ACCEPT("--strategy", "random", "--seed=18446744", "--max-time", "0.5", "--keep-going",
	       "program", "--quiet");
	assert_int_equal(at, 6); /* the program and its arguments are not ours */
	assert_string_equal(o.strategy, "random");
	assert_int_equal(o.seed, 18446744);
	assert_true(o.max_time > 0.49 && o.max_time < 0.51);
	assert_true(o.keep_going);
	assert_false(o.quiet);
	ACCEPT("--ignore", "race,livelock");
	assert_int_equal(o.ignore, 1u << FINDING_RACE | 1u << FINDING_LIVELOCK);
	ACCEPT("--timeouts", "any");
	assert_int_equal(o.timeouts, UINT64_MAX);
	assert_true(o.has_timeouts);
	ACCEPT("--timeouts", "idle");
	assert_int_equal(o.timeouts, 0);
	ACCEPT("--limits", "10,inf,3");
	assert_int_equal(o.limits_len, 3);
	assert_int_equal(o.limits[1], UINT32_MAX);
	ACCEPT("--restart", "fork");
	assert_int_equal(o.restart, 1);
	ACCEPT("--seed", "1", "--seed", "2"); /* the last one counts */
	assert_int_equal(o.seed, 2);
}

static void test_mistakes(void **state)
{
	REFUSE("unknown option --sede", "--sede", "1");
	REFUSE("unknown option --see", "--see", "1"); /* not a prefix */
	REFUSE("--seed needs a value", "--seed");
	REFUSE("--quiet takes no value", "--quiet=1");
	for (size_t i = 0; i < 6; i++) {
		static const char *const wrong[] = {"", "-1", "1x", "0x10", " 1",
						    "9223372036854775808"};

		REFUSE("--seed takes a whole number", "--seed", (char *)wrong[i]);
	}
	REFUSE("--max-time takes a number of seconds above 0", "--max-time", "0");
	REFUSE("--max-time takes a number of seconds above 0", "--max-time", "nan");
	REFUSE("--max-runs takes a number above 0", "--max-runs", "0");
	REFUSE("--max-memory takes a number above 0", "--max-memory", "0");
	REFUSE("unknown finding kind 'rase'", "--ignore", "race,rase");
	REFUSE("--grain takes event or pulse, not 'x'", "--grain", "x");
	REFUSE("--restart takes auto, fork or restore, not ''", "--restart", "");
	REFUSE("--timeouts takes any, idle or milliseconds, not 'soon'", "--timeouts", "soon");
	REFUSE("--limits takes numbers above 0", "--limits", "10,0");
	REFUSE("--limits takes a whole number", "--limits", "10,,3");
	REFUSE("--max-steps must be between 1 and 10000000", "--max-steps", "0");
	REFUSE("--max-steps must be between 1 and 10000000", "--max-steps", "10000001");
	REFUSE("--depth must be between 1 and 32", "--depth", "33");
	REFUSE("--jobs must be between 1 and 256", "--jobs", "0");
}

static void test_scope(void **state)
{
	ACCEPT("--bound", "2", "--strategy", "bounded");
	assert_true(option_check_given(&o, false, &err));
	ACCEPT("--bound", "2", "--strategy", "dpor");
	assert_false(option_check_given(&o, false, &err));
	assert_non_null(strstr(err.message, "--bound is for"));
	ACCEPT("--levels", "2", "--limits", "5", "--strategy", "procrastinate");
	assert_true(option_check_given(&o, false, &err));
	ACCEPT("--levels", "2", "--strategy", "dfs");
	assert_false(option_check_given(&o, false, &err));
	assert_non_null(strstr(err.message, "--levels is for the strategy procrastinate"));
	ACCEPT("--observers", "none");
	assert_true(option_check_given(&o, true, &err));
	ACCEPT("--observers", "messages", "--strategy", "bounded");
	assert_false(option_check_given(&o, true, &err));
	assert_non_null(strstr(err.message, "--observers is for the strategies dpor"));
	ACCEPT("--delivery", "async");
	assert_true(option_check_given(&o, true, &err));
	assert_false(option_check_given(&o, false, &err));
	ACCEPT("--all-plain");
	assert_true(option_check_given(&o, false, &err));
	assert_false(option_check_given(&o, true, &err));
}

static void test_environment(void **state)
{
	setenv("FERMATA_MAX_RUNS", "7", 1);
	setenv("FERMATA_KEEP_GOING", "0", 1);
	setenv("FERMATA_QUIET", "1", 1);
	setenv("FERMATA_STRATEGY", "", 1);
	setenv("FERMATA_DELIVERY", "async", 1);
	option_defaults(&o);
	assert_true(option_read_environment(&o, &err));
	assert_int_equal(o.max_runs, 7);
	assert_false(o.keep_going);
	assert_true(o.quiet);
	assert_string_equal(o.strategy, "auto"); /* empty is as if it were not there */
	assert_true(option_check_given(&o, false, &err)); /* may be meant for another test */
	setenv("FERMATA_MAX_RUNS", "many", 1);
	assert_false(option_read_environment(&o, &err));
	assert_string_equal(err.message,
			    "FERMATA_MAX_RUNS: --max-runs takes a whole number, not 'many'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_scope),
		cmocka_unit_test(test_environment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

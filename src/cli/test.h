/* test.h: the subcommand `fermata test`. argv[0] is the word "test". */
#ifndef CLI_TEST_H
#define CLI_TEST_H

int cli_test(int argc, char **argv);

#include "cli/option.h"

/* The options of one test, complete: checks that they fit this kind of test and chooses the
 * strategy and timeouts that they imply, then test_check_options. */
bool test_prepare(struct test_options *options, bool is_erlang, struct err *err);

/* Explores one program (argv) or one Erlang function (argv[0], with -pa folders) of several tests:
 * its verdict line begins with the name, and its JSON report goes to `collect`. No progress is shown
 * of a test that runs beside others. */
int test_collect(const struct test_options *options, bool is_erlang, char **argv,
		 const char *const *paths, const char *name, bool is_beside, FILE *collect);

/* Before anything runs: is there such a strategy, can findings and report be written? */
bool test_check_options(const struct test_options *options, struct err *err);

#endif

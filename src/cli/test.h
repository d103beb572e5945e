/* test.h: the subcommand `fermata test`. argv[0] is the word "test". */
#ifndef CLI_TEST_H
#define CLI_TEST_H

int cli_test(int argc, char **argv);

#include "cli/option.h"

/* Before anything runs: is there such a strategy, can findings and report be written? */
bool test_check_options(const struct test_options *options, struct err *err);

#endif

/* native_cases.h: `fermata test --gtest PROGRAM` and its kin: explores every test of a C or C++
 * program that is made with a test framework (framework.h).
 *
 * One child process per test explores it and returns its JSON report (child.h), as for the suites of
 * Erlang (cases.h). The options of `test` apply to each test. The output is one verdict line per
 * test, then the number of tests by verdict, then the verdict over all tests.
 */
#ifndef CLI_NATIVE_CASES_H
#define CLI_NATIVE_CASES_H

#include "cli/search/framework.h"

/* argv is the program and its own arguments. Returns the exit status (cases_run in cases.h). */
int native_cases_run(const struct test_options *options, enum framework framework, char **argv);

/* Explores the tests of the program and adds their reports. `seconds` above 0 are divided over them.
 * False with err if the tests cannot be listed. */
struct gather;
bool native_cases_explore(const struct test_options *options, enum framework framework, char **argv,
			  double seconds, struct gather *gather, struct err *err);

#endif

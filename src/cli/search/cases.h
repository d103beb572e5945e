/* cases.h: `fermata test --eunit MODULE…`, `--exunit MODULE…` and `--ct MODULE…`: explores every test
 * of modules, or those that MODULE:TEXT picks (pick.h).
 *
 * There is one machine per OS process. So one child lists the tests of a module, and one child per
 * test explores it and returns its JSON report through a pipe (child.h). The options of `test`
 * apply to each test. The output is one verdict line per test, then a line with the number of tests
 * by verdict, then the verdict over all tests.
 */
#ifndef CLI_CASES_H
#define CLI_CASES_H

#include <jansson.h>

#include "beam/suite.h"
#include "cli/option.h"

/* The kind of suite that the options ask for; SUITE_NONE: a function or a program. */
enum suite_kind cases_kind(const struct test_options *options);

/* modules and paths (the -pa folders) end with NULL. Returns the exit status: that of a bug if a
 * test has one, else of lost control, else of a test that could not be run, else of a missing
 * proof if --require-proof was given. */
int cases_run(const struct test_options *options, enum suite_kind kind, const char *const *modules,
	      const char *const *paths);

/* Explores the tests of one module (MODULE or MODULE:TEXT) and adds the reports. `seconds` above 0 are divided over its
 * tests. False if the module cannot be tested at all; the reason has been printed and added. */
struct gather;
bool cases_run_module(const struct test_options *options, enum suite_kind kind, const char *asked,
		      const char *const *paths, double seconds, struct gather *gather);

/* The tests of a module: a new array of {kind, path, text} (struct suite_item). NULL if they
 * cannot be listed; the reason is in err, or err is empty and the child has printed it. */
json_t *cases_list(const struct test_options *options, enum suite_kind kind, const char *module,
		   const char *const *paths, struct err *err);

#endif

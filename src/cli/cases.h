/* cases.h: `fermata test --eunit MODULE…` and `--exunit MODULE…`: every test of some modules.
 *
 * There is one machine per OS process, so listing the tests and exploring each of them is done by
 * children, which hand their JSON reports back through a pipe; the options of `test` hold for each.
 * One verdict line per test, then a line that counts them and the verdict over all.
 */
#ifndef CLI_CASES_H
#define CLI_CASES_H

#include <jansson.h>

#include "beam/suite.h"
#include "cli/option.h"

/* modules and paths (the -pa folders) end with NULL. Returns the exit status: the worst of a bug,
 * lost control, something that could not be run, no proof though one was required. */
int cases_run(const struct test_options *options, enum suite_kind kind, const char *const *modules,
	      const char *const *paths);

/* The tests of a module: a new array of {kind, path, text} (struct suite_item), found out by a
 * child. NULL when it cannot be listed; the child has said why, unless err does. */
json_t *cases_list(const struct test_options *options, enum suite_kind kind, const char *module,
		   const char *const *paths, struct err *err);

#endif

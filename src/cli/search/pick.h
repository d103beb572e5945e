/* pick.h: the tests of a suite that were asked for: `--eunit MODULE:TEXT`, `--tag`, `--skip-tag`.
 *
 *     --eunit shelf_tests:add_test       the function add_test
 *     --exunit "TicketsTest:sold once"   the test "sold once"
 *     --ct shelf_SUITE:writers           the group or case writers
 *     --eunit shelf_tests:12             the test at line 12
 *
 * If no test has exactly the name TEXT, all tests whose names contain TEXT are picked.
 */
#ifndef CLI_PICK_H
#define CLI_PICK_H

#include <jansson.h>

#include "base/arena.h"
#include "beam/suite.h"
#include "cli/option.h"

/* Splits "MODULE:TEXT"; the text is NULL if all tests of the module are wanted. */
struct pick {
	const char *module; /* in the arena */
	const char *text;
};

struct pick pick_parse(struct arena *arena, const char *asked);

/* Removes the tests that are not wanted from the list of cases_list. False if no test has the text;
 * err then says so. That none has the tags is not a mistake: those of another module may have. */
bool pick_apply(const struct pick *pick, enum suite_kind kind, const struct test_options *options,
		json_t *list, struct err *err);

#endif

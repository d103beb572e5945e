/* confirm.h: `fermata races --confirm`: runs tests to see which static suspects are real.
 *
 * With a test (MODULE:FUNCTION, or the tests of an EUnit or ExUnit module), the schedules of the
 * test are searched for every suspect (trial.h). Without a test, the function of a suspect is
 * called in two processes at once, if it is exported and its arguments can be guessed
 * (static/guess.h). Each suspect gets an outcome (static/outcome.def).
 */
#ifndef CLI_CONFIRM_H
#define CLI_CONFIRM_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "cli/option.h"
#include "static/suspect.h"

struct confirm {
	struct test_options options; /* as for `fermata test` */
	const char *test;            /* MODULE:FUNCTION, or MODULE with --eunit; or NULL */
	VEC(const char *) paths;     /* where modules are found */
};

enum confirm_end {
	CONFIRM_DONE,
	CONFIRM_LOST, /* control was lost, or something needed is not supported: err says what */
	CONFIRM_FAIL, /* bad input: err says which */
};

/* Fills in the trial of every suspect; texts go to the arena. */
enum confirm_end confirm_suspects(struct confirm *confirm, struct suspects *found,
				  struct arena *arena, struct err *err);

#endif

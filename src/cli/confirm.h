/* confirm.h: static suspects tried by running: `fermata races --confirm`.
 *
 * With a test, MODULE:FUNCTION or those of EUnit or ExUnit modules, every suspect is looked for in
 * its schedules (trial.h). Without one, each suspect in an exported function whose arguments can
 * be guessed (static/guess.h) is tried by calling it in two processes at once. Each suspect
 * gets its outcome (static/outcome.def).
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
	const char *test;            /* MODULE:FUNCTION, or MODULE with --eunit; NULL none */
	VEC(const char *) paths;     /* where modules are found */
};

enum confirm_end {
	CONFIRM_DONE,
	CONFIRM_LOST, /* control was lost, or something needed is not supported: err says what */
	CONFIRM_FAIL, /* bad input: err says which */
};

/* Fills in the trials of all; texts go to the arena. */
enum confirm_end confirm_suspects(struct confirm *confirm, struct suspects *found,
				  struct arena *arena, struct err *err);

#endif

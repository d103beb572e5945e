/* confirm.h: static suspects tried by running: `fermata races --confirm`.
 *
 * The suspects' places are watched (beam/watch.h) while a test is explored, first the schedules
 * in which somebody comes between a suspect's read and its write (strategy `suspects`), then all
 * of them as far as the limits go. What is seen becomes a saved finding that `fermata replay`
 * runs again. Each suspect gets its outcome (static/suspect.h), and "not seen" is said only
 * when the exploration was complete.
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
	const char *test;            /* MODULE:FUNCTION; NULL: a driver is made for each suspect */
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

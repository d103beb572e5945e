/* checked.h: a target around another one that asserts the contract on every run.
 *
 * target_checked() returns a target that hands every call on, and looks at each trace before the
 * caller gets it (contract.h has the list of promises). Every `sample`-th request is run a second
 * time with the same schedule, and the two traces are compared event by event.
 *
 * A broken promise is an error of ours, as BUG_ON is: nothing that a search concludes from such a
 * target can be trusted. The run fails, as does every later run of this target and of its twins
 * (target_ops.again), with the text "the target broke its contract: step 7 (lock of P1.2): …".
 * `options.on_broken`, if it is given, is called first; the command line prints the verdict there
 * and leaves with exit status 4, so that no caller can take the failure for something else.
 *
 * All tests run with it: tests/check sets FERMATA_CHECK_TARGET=1, and the command line then wraps
 * each target it makes (cli/search/checked_setup.c).
 *
 * Every run is looked at; only the second runs are a sample. With a sample of 64 a search by dpor
 * takes 10 to 20 % more CPU time on small native programs, one by random or pos 20 to 30 %.
 */
#ifndef TARGET_CHECKED_H
#define TARGET_CHECKED_H

#include "target/target.h"

struct checked_options {
	uint32_t sample; /* every how-manieth request is run twice; 0 none */
	bool announcements_change; /* see contract.h; true for BEAM */
	void (*on_broken)(const char *text); /* may be NULL */
};

/* Takes `inner`: freeing the result frees it. Returns a new target. */
struct target *target_checked(struct target *inner, const struct checked_options *options);

#endif

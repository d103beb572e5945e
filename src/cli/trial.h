/* trial.h: one test explored for some suspects, in a child of its own (child.h).
 *
 * The suspects' places are watched (beam/watch.h) while the test is explored, first the schedules
 * in which somebody comes between a suspect's read and its write (strategy `suspects`), then all
 * of them as far as the limits go. What is seen is confirmed, shortened and saved like any
 * finding, so `fermata replay` runs it again. "Not seen" is said only of a complete exploration.
 */
#ifndef CLI_TRIAL_H
#define CLI_TRIAL_H

#include "base/arena.h"
#include "base/vec.h"
#include "cli/beam_setup.h"
#include "cli/option.h"
#include "static/suspect.h"

VEC_TYPE(suspect_vec, struct suspect *);

struct trial {
	const struct test_options *options;
	struct beam_subject subject; /* its watch is set here */
	const char *text;            /* the test, for the report */
	struct suspect_vec suspects; /* whose outcomes are wanted */
	/* results */
	uint64_t executions;
	bool is_lost; /* control was lost, or something needed is not supported */
};

/* Runs it and improves the suspects' trials by what was found out: confirmed beats all, what was
 * reached beats what was not. Texts go to the arena. False with err: it could not be run. */
bool trial_run(struct trial *trial, struct arena *arena, struct err *err);

#endif

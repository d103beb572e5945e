/* trial.h: explores one test to see whether some suspects are real races, in a child (child.h).
 *
 * The code sites of the suspects are watched (beam/watch.h) while the test is explored: first the
 * schedules in which another process comes between a suspect's read and its write (strategy
 * `suspects`), then all schedules as far as the limits go. A race that is observed is confirmed,
 * shortened and saved like any finding, so that `fermata replay` runs it again. The outcome "not
 * seen" is reported only of a complete exploration.
 */
#ifndef CLI_TRIAL_H
#define CLI_TRIAL_H

#include "base/arena.h"
#include "base/vec.h"
#include "cli/option.h"
#include "cli/search/beam_setup.h"
#include "static/suspect.h"

VEC_TYPE(suspect_vec, struct suspect *);

struct trial {
	const struct test_options *options;
	struct beam_subject subject; /* its watch is set here */
	const char *text;            /* the test, for the report */
	struct suspect_vec suspects; /* whose outcomes are wanted */
	const struct suspects *all;  /* also those of earlier trials: their findings are kept */
	/* results */
	uint64_t executions;
	bool is_lost; /* control was lost, or something needed is not supported */
};

/* Runs the trial and updates the outcomes of its suspects where the new outcome says more:
 * confirmed beats all others, and reached beats not reached. Texts go to the arena. False with err
 * if the test could not be run. */
bool trial_run(struct trial *trial, struct arena *arena, struct err *err);

#endif

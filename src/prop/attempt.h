/* attempt.h: one test run under one schedule after the other, until one fails. Each step is that
 * of explore/walk.h; a restart of the search is repeated here, so that the caller sees only runs
 * that count.
 *
 *     struct attempt attempt;
 *     if (!attempt_init(&attempt, model, &test, options, seed, err)) …
 *     while ((answer = attempt_next(&attempt, &failure, err)) == ATTEMPT_PASSED) count;
 *     attempt_release(&attempt);
 *
 * An attempt can rest while others go on: shrinking advances many in turns.
 */
#ifndef PROP_ATTEMPT_H
#define PROP_ATTEMPT_H

#include "explore/walk.h"
#include "prop/prop.h"

enum attempt_answer {
	ATTEMPT_PASSED,
	ATTEMPT_FAILED, /* the test failed: *failure says how */
	ATTEMPT_DRY,    /* the strategy has no more schedules */
	ATTEMPT_ERROR,  /* err says what */
};

/* A failing run of a test. */
struct failure {
	struct prop_test test;
	struct prop_outcome outcomes[PROP_CALLS_MAX];
	struct found found; /* owned */
};

void failure_release(struct failure *failure);

struct attempt {
	const struct prop_options *options;
	struct prop_result *counts; /* borrowed: runs, steps, undecided */
	struct target *target;      /* owned: the test as a target (prop/checker.h) */
	struct walk walk;
	uint64_t undecided;         /* of that target, before the last run */
	uint32_t wanted_kind; /* only this kind of finding fails; FINDING_KINDS: any */
};

bool attempt_init(struct attempt *attempt, struct model *model, const struct prop_test *test,
		const struct prop_options *options, const char *strategy, uint64_t seed,
		struct prop_result *counts, struct err *err);
void attempt_release(struct attempt *attempt);

/* Runs the strategy's next schedule, or a given one. */
enum attempt_answer attempt_next(struct attempt *attempt, struct failure *failure, struct err *err);
enum attempt_answer attempt_run(struct attempt *attempt, const struct schedule *schedule,
			    struct failure *failure, struct err *err);

#endif

/* walk.h: one step of a search: run a schedule, look at its trace, begin anew if needed.
 *
 * Both loops of the tool are made of this step: explore(), over the schedules of one program, and
 * prop/attempt.h, over the schedules of one generated test.
 *
 *	walk_init(&walk, target, "dpor", &params);
 *	while (walk_next(&walk, err) == WALK_RAN) {
 *		... read walk.trace and walk.findings ...
 *		if (walk_expose(&walk) == WALK_RAN)
 *			walk_learn(&walk);
 *	}
 *	walk_release(&walk);
 *
 * The step hides three things from its caller. Where target and strategy can, several schedules
 * are run with one handover and their traces are kept until their turn comes. If the target
 * learned how the program's objects are laid out (END_RELEARN), names have changed: strategy and
 * detectors are restarted, and the caller must forget the runs it has counted. And with
 * checks_first set, the first schedule is run twice and both traces must be equal.
 */
#ifndef EXPLORE_WALK_H
#define EXPLORE_WALK_H

#include "detect/detect.h"
#include "explore/repeats.h"
#include "strategy/strategy.h"
#include "target/target.h"

enum walk_answer {
	WALK_RAN,        /* trace and findings are those of one run */
	WALK_RESTARTED,  /* names have changed: earlier runs do not count any more */
	WALK_IMPOSSIBLE, /* a pair of steps cannot be swapped; the strategy has learned that */
	WALK_DRY,        /* the strategy has no more schedules */
	WALK_LOST,       /* control was lost: `lost` describes how */
	WALK_ERROR,      /* err describes what is wrong with the world */
};

struct history;

struct walk {
	struct target *target;       /* borrowed */
	struct strategy *strategy;   /* owned */
	struct detectors *detectors; /* owned */
	bool checks_first;           /* run the first schedule twice and compare */
	/* the last step */
	struct schedule schedule;
	struct trace trace;          /* valid until the next step */
	struct finding_vec findings; /* every detector's, of that trace */
	char lost[512];
	uint32_t repeats;            /* the least of the schedules since the detectors saw a trace */
	struct repeats seen;         /* the last trace that they saw, if the target is checked */
	/* counts */
	uint32_t restarts, self_checks;
	uint32_t batch;              /* how many schedules are run with one handover */
	uint32_t actors_len, values_len; /* the most of any run, also of runs made ahead */
	struct history *history;     /* borrowed: of the search, for others to repeat; or NULL */
};

/* The strategy's name must exist. Borrows the target. */
void walk_init(struct walk *walk, struct target *target, const char *strategy,
		 const struct strategy_params *params);
void walk_release(struct walk *walk);

/* Runs the strategy's next schedule. */
enum walk_answer walk_next(struct walk *walk, struct err *err);

/* Runs a schedule that is not the strategy's. The strategy learns nothing from it, and a strict
 * schedule that cannot be followed is an ordinary run that ended as END_DIVERGED. */
enum walk_answer walk_run(struct walk *walk, const struct schedule *schedule,
			      struct err *err);

/* Makes the racing bytes of the last findings visible steps, and gives up a relation that does not
 * cover a step (strategy.h: uncovered). WALK_RAN: there was nothing to
 * change. Called only after the caller is done with the trace's schedule: with more
 * visible steps the same decisions would mean another run. */
enum walk_answer walk_expose(struct walk *walk);

/* Hands the last trace of walk_next to the strategy. */
void walk_learn(struct walk *walk);

#endif

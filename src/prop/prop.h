/* prop.h: parallel tests of an interface against its sequential model.
 *
 * A test is a sequential prefix and a few branches of calls that run in parallel. It is run under
 * many schedules; each run gives every call a result. The test fails if no order of the calls
 * that respects each branch explains the results by the model ("not-linearizable"). It also fails
 * if a detector finds something in the trace (a crash, a deadlock …). A failing test is shrunk:
 * fewer calls, simpler arguments, a shorter schedule (PULSE paper, sections 2, 4 and 6).
 *
 * The generic part (this folder) generates tests, searches for an order, shrinks and prints. It
 * knows calls, states and values only as handles; a back end knows their contents. There are two
 * back ends: programs in C (prop/native_model.h) and PropEr's callbacks on our VM
 * (prop/beam_model.h). A back end is a struct model, whose first member is the const table of
 * functions below, and a target that runs the test that was installed last:
 *
 *     ops->install(model, &test)        the next runs of the target are runs of this test
 *     target->ops->run(target, …)       under a schedule of some strategy
 *     ops->outcomes(model, outcomes)    the result of each call of the test in that run
 *
 * Handles are numbers from 1; 0 stands for a missing one. Equal states and equal values must have
 * equal handles (they are interned), because the search for an order remembers visited states by
 * their handles.
 */
#ifndef PROP_PROP_H
#define PROP_PROP_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "explore/explore.h"
#include "strategy/strategy.h"
#include "target/target.h"

enum { PROP_CALLS_MAX = 64, PROP_BRANCHES_MAX = 8 };

/* A call of a test. Branch 0 is the prefix, 1 … branches_len run in parallel after it. */
struct prop_call {
	uint32_t handle;
	uint32_t branch;
};

/* Plain data, copied by assignment. The calls of the prefix come first, then those of
 * branch 1 and so on, each in the order in which they are made. */
struct prop_test {
	uint32_t len;
	uint32_t branches_len;
	struct prop_call calls[PROP_CALLS_MAX];
};

enum prop_progress {
	PROP_NOT_BEGUN, /* the run ended before */
	PROP_BEGUN,     /* it never returned */
	PROP_RETURNED,
};

/* The outcome of one call in a run. */
struct prop_outcome {
	uint32_t progress; /* enum prop_progress */
	uint32_t value;    /* handle of its result, if it returned */
	uint32_t actor;    /* the actor that made it */
	/* The events of that actor with begin <= step < end belong to it, so that a schedule
	 * can be reused without it. Both 0: not known. */
	uint32_t begin, end;
};

enum prop_answer {
	PROP_NO,
	PROP_YES,
	PROP_FAILED, /* the world (or the user's model) is wrong: err says how */
};

/* As the value of step(): the result is not known yet. */
enum { PROP_SYMBOLIC = 0 };

struct model {
	const struct model_ops *ops;
};

struct model_ops {
	/* The model's state before the first call. */
	enum prop_answer (*initial)(struct model *self, uint32_t *state, struct err *err);

	/* A new call that could come next in `state`, at the end of branch `branch` of the
	 * test so far; all that is random about it comes from the seed. Only results of
	 * earlier calls of the prefix and of the same branch may be used in it. PROP_NO: the
	 * generated call does not meet its precondition; another seed may do better. */
	enum prop_answer (*generate)(struct model *self, uint32_t state,
				     const struct prop_test *so_far, uint32_t branch,
				     uint64_t seed, uint32_t *call, struct err *err);

	/* With value PROP_SYMBOLIC: may the call be made in `state` (precondition)? *next is
	 * then the state after it, with its result still unknown. With the handle of a value:
	 * may the call give that result in `state` (postcondition)? *next is the state after. */
	enum prop_answer (*step)(struct model *self, uint32_t state, uint32_t call,
				 uint32_t value, uint32_t *next, struct err *err);

	/* The nth (from 0) simpler variant of a call, as a new handle, simplest first;
	 * PROP_NO: there are no more. A call that needs `call` needs the variant. */
	enum prop_answer (*simplify)(struct model *self, uint32_t call, uint32_t nth,
				     uint32_t *simpler, struct err *err);

	/* May the test be run as a whole? PROP_NO: another one has to be made. The preconditions of its
	 * calls hold. Optional: every test may. */
	enum prop_answer (*accepts)(struct model *self, const struct prop_test *test,
				    struct err *err);

	/* Does `call` use the result of `earlier`? Then it is never left without it. Optional:
	 * no call uses another's. */
	bool (*needs)(struct model *self, uint32_t call, uint32_t earlier);

	/* The same call with the result of `other` where it uses that of `earlier`, as a new
	 * handle; 0 if that is not possible. Optional. */
	uint32_t (*rebind)(struct model *self, uint32_t call, uint32_t earlier, uint32_t other);

	/* As one writes it in the source; print_value as one reads it in a report. */
	void (*print_call)(struct model *self, uint32_t call, struct strbuf *out);
	void (*print_value)(struct model *self, uint32_t value, struct strbuf *out);

	/* For a report that says which result the model would have allowed: the nth value (from 0) to try
	 * besides the results of the run, or 0 behind the last one. Optional: a value may belong to its
	 * call, so that it cannot be tried for another one. */
	uint32_t (*likely_value)(struct model *self, uint32_t nth);
	/* The same for such a model: finds up to `max` values that the call of `values[wrong]`, which the model
	 * refuses in `state`, might have given instead. Returns how many. `values`: of all calls. Optional. */
	uint32_t (*allowed_values)(struct model *self, uint32_t state, const uint32_t *values, uint32_t len,
				   uint32_t wrong, uint32_t *allowed, uint32_t max);
	/* A state as one reads it in a report. Optional. */
	void (*print_state)(struct model *self, uint32_t state, struct strbuf *out);

	/* A remark for the report about steps that the model refused (that a check raised an
	 * exception …); "" if there is nothing to remark. Optional. */
	const char *(*remark)(struct model *self);

	/* The test as source to paste into a regression suite, and the usual ending of its
	 * file name (".c", ".erl"). */
	void (*print_source)(struct model *self, const struct prop_test *test,
			     struct strbuf *out);
	const char *source_ending;

	/* Lives as long as the model. */
	struct target *(*target)(struct model *self);

	/* The next runs of the target are runs of this test. Cheap when it is the one already
	 * there. */
	bool (*install)(struct model *self, const struct prop_test *test, struct err *err);

	/* The outcomes of the last run of the target: one per call of the installed test. */
	void (*outcomes)(struct model *self, struct prop_outcome *outcomes);

	/* All handles of states and values are invalid from now on; if `calls` is set, those of
	 * calls too. Called between runs and between tests, so that memory stays bounded. */
	void (*forget)(struct model *self, bool calls);

	/* The test as JSON (a new value) for the finding's file, and back. */
	json_t *(*save)(struct model *self, const struct prop_test *test);
	bool (*load)(struct model *self, const json_t *json, struct prop_test *test,
		     struct err *err);

	/* A second, fresh instance of the same program with no handles yet, which has learned
	 * what this one's target has; for confirming. NULL with err. */
	struct model *(*again)(struct model *self, struct err *err);

	void (*free)(struct model *self);
};

/* ---- the generic part, for cli/ ---- */

/* How the candidates of a shrinking step are run; Figures 4, 5 and 6 of the paper. */
enum prop_shrinking {
	SHRINK_ROUNDS,        /* reused schedule for all, then one procrastination each, … */
	SHRINK_REPEAT,        /* N random schedules each */
	SHRINK_PROCRASTINATE, /* the strategy's schedules each, one candidate after the other */
	SHRINK_REUSE,         /* the reused schedule only */
	SHRINK_BOTH,          /* the reused schedule, then the strategy's, one after the other */
	SHRINK_NONE,          /* the test stays as it was generated */
};

struct prop_result;
struct prop_failure;

/* A test that has failed before and is run first: `first` of the options. */
struct prop_first {
	struct prop_test test;
	const struct decision *decisions; /* borrowed: the schedule it failed under */
	uint32_t decisions_len;
};

struct prop_options {
	const char *strategy; /* of each test */
	struct strategy_params params; /* its seed is that of everything random */
	uint64_t tests;
	uint32_t jobs;        /* processes that run tests (prop/scouts.h) */
	uint64_t schedules;   /* per test, at most */
	uint64_t prefix_max, branch_max; /* calls in the prefix and in each branch, at most */
	uint64_t branches;    /* at most; at least 2 */
	uint64_t shrinking;   /* enum prop_shrinking */
	uint64_t repeat;      /* N of SHRINK_REPEAT */
	uint64_t patience;    /* of SHRINK_ROUNDS: rounds without a smaller test before it ends, in
	                         schedules per test */
	const struct prop_first *first; /* instead of generated tests; or NULL */
	uint64_t search_max;  /* steps of one search for an order; then it is undecided */
	uint32_t ignored;     /* set of finding kinds */
	double max_seconds;   /* 0: no limit */
	double shrink_seconds;
	const volatile sig_atomic_t *stop; /* borrowed; or NULL */
	/* Called now and then; calls_len is 0, or the calls of the test that is being shrunk.
	 * Optional. */
	void (*progress)(void *ctx, const struct prop_result *so_far, uint32_t calls_len);
	/* Called after each test that has passed, with calls_len 0, and when the failing test got
	 * smaller. Optional. */
	void (*noted)(void *ctx, const struct prop_result *so_far, uint32_t calls_len);
	/* Called once for the failure. False ends with err. */
	bool (*confirmed)(void *ctx, const struct prop_failure *failure, struct err *err);
	void *ctx;
};

struct prop_result {
	uint64_t tests;      /* run, each under up to `schedules` schedules */
	uint64_t runs, steps;
	uint64_t undecided;  /* runs whose search for an order was cut short */
	uint64_t discarded;  /* calls that did not meet their precondition when generated */
	uint64_t shrink_tests, shrink_runs;
	double seconds, shrink_seconds;
	uint64_t assumed; /* enum trace_assumed bits seen */
	uint32_t bounded; /* enum trace_bound bits seen */
	char reason[256];    /* why it ended before all tests were run; "" if it did not */

	/* The failure; only if is_found. */
	bool is_found;
	uint64_t first_test; /* the number of tests before it */
	uint32_t first_len;  /* its calls as it was generated */
	uint32_t last_len;   /* after shrinking */
};

/* The failure in its final form, right after `target` (a fresh instance) ran its schedule
 * with call stacks recorded. All of it is borrowed and goes after the call. */
struct prop_failure {
	struct model *model; /* whose handles those are */
	struct target *target;
	const struct prop_test *test;
	const struct prop_outcome *outcomes;
	struct found *found;
};

/* Generates and runs tests until one fails, makes that one small, confirms it in a fresh
 * instance, shortens its schedule there and hands it to options->confirmed. False with err if
 * the world or the model is wrong. */
bool prop_run(struct model *model, const struct prop_options *options,
	      struct prop_result *result, struct err *err);

/* checker.c: a target that runs the test and looks for an order after every run: the trace
 * has a notice FINDING_NOT_LINEARIZABLE if no order explains the outcomes. So
 * found_confirm(), shrink() and replay work on it as on any target. Borrows the model; again()
 * makes a fresh one. */
struct target *prop_target_create(struct model *model, const struct prop_test *test,
				  uint64_t search_max, struct err *err);

/* describe.c: prints the test as a picture with the outcomes of a run, and why no order explains
 * them. */
void prop_print_picture(struct model *model, const struct prop_test *test,
			const struct prop_outcome *outcomes, struct strbuf *out);
void prop_print_reasons(struct model *model, const struct prop_test *test,
			const struct prop_outcome *outcomes, struct strbuf *out);

#endif

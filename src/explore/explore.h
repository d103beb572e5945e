/* explore.h: the loop that joins target, strategy, detectors and budgets.
 *
 *     schedule from the strategy -> run by the target -> trace to the detectors
 *     -> findings confirmed by a replay in a second instance (target_ops.again), shortened, kept
 *     -> trace back to the strategy
 *
 * It checks the target's promise of determinism: the first schedule is run twice, a
 * schedule that cannot be followed or a finding that does not replay ends the search
 * as lost control. What it returns says honestly what was proved: complete only if an
 * exhaustive strategy ran dry and nothing was bounded, left out or uncontrolled.
 */
#ifndef EXPLORE_EXPLORE_H
#define EXPLORE_EXPLORE_H

#include <signal.h>

#include "base/map.h"
#include "base/vec.h"
#include "core/finding.h"
#include "explore/statistics.h"
#include "strategy/strategy.h"
#include "target/target.h"

struct explore_result;
struct found;

struct explore_options {
	const char *strategy;
	struct strategy_params params;
	uint64_t max_runs;      /* 0: no limit */
	double max_seconds;     /* 0: no limit */
	bool keep_going;
	bool hash_traces;       /* fill in traces_hash */
	bool count_traces;      /* fill in statistics */
	uint32_t ignored;       /* set of finding kinds */
	double shrink_seconds;  /* budget per finding */
	uint32_t shrink_runs;
	/* Set by the user's Ctrl-C; the loop ends and reports what it has. Borrowed. */
	volatile sig_atomic_t *stop;
	/* Called for each confirmed finding, right after `target` (a second instance) has run
	 * its final schedule with call stacks recorded: the moment to put it into words and
	 * to save it. Optional. False ends the search with err. */
	bool (*confirmed)(void *ctx, struct target *target, struct found *found, struct err *err);
	/* Called now and then with the numbers so far. Optional. */
	void (*progress)(void *ctx, const struct explore_result *so_far, double done_share);
	/* Called for each run that counts; with NULL when all begins anew. Optional. */
	void (*ran)(void *ctx, const struct trace *trace);
	void *ctx;
};

/* A finding with the run that shows it. */
struct found {
	struct finding finding;
	struct trace *trace;         /* owned: the shortest run found that still fails */
	struct decision *decisions;  /* owned: that run as a strict schedule */
	uint32_t decisions_len;
	uint32_t preemptions;
	struct decision *other;      /* owned: of a leak, a run that frees the blocks; NULL none */
	uint32_t other_len;
};

struct explore_result {
	VEC(struct found) found;
	bool complete;
	bool lost;
	char reason[512];  /* not a proof: why; lost: what */
	uint64_t executions, blocked, spins, steps;
	uint64_t bursts, confirmations, shrinks, self_checks, restarts;
	uint32_t bounded;  /* enum trace_bound bits seen */
	uint32_t assumed;  /* enum trace_assumed bits seen */
	uint32_t actors_len; /* most actors in one run */
	uint64_t traces_hash; /* over all runs that count, whatever their order */
	struct map outcomes; /* hash -> how often */
	struct statistics statistics; /* of sampled runs */
	double wall_seconds;
};

/* False only if the world is wrong (the program cannot be started again …). Findings and
 * lost control are results. */
bool explore(struct target *target, const struct explore_options *options,
	     struct explore_result *result, struct err *err);
void explore_result_release(struct explore_result *result);

/* shrink.c: replaces the run by one with fewer preemptions, then fewer events, as long
 * as the same finding (by fingerprint) shows up and the budget lasts. Never worse. `stop`
 * (may be NULL) ends it early. */
void shrink(struct target *target, struct found *found, double seconds, uint32_t runs,
	    const volatile sig_atomic_t *stop, uint64_t *runs_done);

/* Runs the decisions strictly; true if the finding shows up again, and then its sites are
 * those of this run. *trace is the run. */
bool confirm(struct target *target, struct found *found, struct trace *trace, struct err *err);

/* Does this finding (by fingerprint) show in this trace? Then it is brought up to date. */
bool trace_shows(const struct trace *trace, struct finding *finding);

#endif

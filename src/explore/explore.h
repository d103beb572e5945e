/* explore.h: the loop that joins target, strategy, detectors and budgets.
 *
 *     a schedule from the strategy -> run by the target -> trace to the detectors (walk.h)
 *     -> findings confirmed by a replay in a second instance, shortened, kept (found.h)
 *     -> the run added to all sums (tally.h) -> trace back to the strategy
 *
 * The target's promise of determinism is checked: the first schedule is run twice, and a schedule
 * that cannot be followed or a finding that does not replay ends the search as lost control. The
 * result is complete only if an exhaustive strategy ran dry and nothing was bounded, left out or
 * uncontrolled.
 */
#ifndef EXPLORE_EXPLORE_H
#define EXPLORE_EXPLORE_H

#include "base/bytes.h"
#include "base/map.h"
#include "base/vec.h"
#include "explore/found.h"
#include "explore/statistics.h"
#include "strategy/strategy.h"
#include "target/target.h"

struct explore_result;
struct jobs_elsewhere;
struct store;

enum { EXPLORE_TIME_OVER = 2 };

struct explore_options {
	const char *strategy;
	struct strategy_params params;
	uint64_t max_runs;      /* of all kinds together; 0: no limit */
	double max_seconds;     /* 0: no limit */
	double started;         /* when the time began, before the target was made; 0: now */
	bool keep_going;        /* behind a finding that is new */
	bool hash_traces;       /* fill in traces_hash */
	bool count_traces;      /* fill in statistics */
	uint64_t certify_runs;  /* certify a complete search of at most so many executions */
	uint64_t forget_run;    /* for tests: 1 + a run that is kept from the checker; 0 none */
	/* If the checker finds that a search left a run out which another order of messages shows,
	 * make the search again with all orders, and believe that one if it is certified. */
	bool tries_all_orders;
	uint32_t ignored;       /* set of finding kinds */
	double shrink_seconds;  /* budget for shortening each finding */
	uint32_t shrink_runs;
	/* Set by the user's Ctrl-C, or to EXPLORE_TIME_OVER; the loop ends and reports what it
	 * has. Borrowed. */
	volatile sig_atomic_t *stop;
	/* Is a finding, the first with its fingerprint, to be confirmed and reported? Optional. */
	bool (*wanted)(void *ctx, struct target *target, const struct finding *finding);
	/* Called before a finding is confirmed, shortened and confirmed again, and after. Optional. */
	void (*finishing)(void *ctx, bool begins);
	/* Called for each confirmed finding, right after `target` (a second instance) has run
	 * its final schedule with call stacks recorded. This is the moment to put the finding
	 * into words and to save it, and to set that it does not count (is_left_out) or does not
	 * end the search (is_known). Optional. False ends the search with err. */
	bool (*confirmed)(void *ctx, struct target *target, struct found *found, struct err *err);
	/* Called now and then with the numbers so far. Optional. */
	void (*progress)(void *ctx, const struct explore_result *so_far, double done_share);
	/* Called for each run that counts; with NULL when all begins anew. Optional. */
	void (*ran)(void *ctx, const struct trace *trace);
	uint32_t jobs;       /* processes that explore, if the strategy is dpor or ends in dpor */
	uint64_t jobs_after; /* runs before the others begin; UINT64_MAX: when it is worth it */
	/* Called when three workers have died in one part, with the schedule that leads to the part.
	 * Optional. */
	void (*deadly)(void *ctx, const struct decision *decisions, uint32_t len);
	/* How parts are explored on other machines (jobs_worker.h); borrowed; NULL: here. */
	const struct jobs_elsewhere *elsewhere;
	/* Of `ran`, in another process: the part that counts there; its sums as text, which are
	 * forgotten then; and here, adding them. Optional, all or none. */
	void (*ran_apart)(void *ctx, const struct trace *trace);
	void (*pack)(void *ctx, struct strbuf *out);
	void (*unpack)(void *ctx, struct bytes_in in);
	/* A search that is saved now and then, and may have been saved before (resume.h); borrowed;
	 * or NULL. keep(): the text that `ran` has made since the last call; unpack() adds it. */
	struct store *store;
	void (*keep)(void *ctx, struct strbuf *out);
	void *ctx;
};

struct explore_result {
	VEC(struct found) found;
	bool complete;
	bool certified;    /* complete, and the checker has found the runs closed */
	char not_certified[128]; /* complete and not certified: why */
	bool lost;
	bool has_gap;      /* lost: the checker found a run that the search left out */
	bool hung;         /* lost: the time was over in a step that took most of it */
	char reason[512];  /* not a proof: why; lost: what */
	/* Runs, each counted once: executions of the strategy; samples of a burst before it;
	 * abandoned because every actor slept; cut in a spin loop. */
	uint64_t executions, sampled, blocked, spins;
	uint64_t completed; /* of all runs, those that came to an end of their own */
	uint64_t steps;
	uint64_t confirmations, shrinks, self_checks, restarts;
	uint32_t bounded;  /* enum trace_bound bits seen */
	uint64_t assumed;  /* enum trace_assumed bits seen */
	uint32_t actors_len; /* most actors in one run */
	uint64_t traces_hash; /* over all runs that count, whatever their order */
	struct map outcomes; /* hash -> how often */
	struct statistics statistics; /* of sampled runs */
	double wall_seconds;
	uint32_t workers;         /* that were started, besides this process */
	const char *stays_alone;  /* why no worker is started; or NULL */
	uint64_t parts, parts_dropped, parts_lost; /* explored by workers: results that count, or
	                                              do not; parts whose worker died */
	double workers_cpu_seconds;
	/* of a saved search */
	bool is_over;        /* there is nothing to go on with */
	bool is_resumed;     /* a saved search has gone on */
	double wall_before;  /* seconds of the processes before */
	char not_saved[256]; /* why it could not be saved; "" it could */
};

/* False only if the world is wrong (the program cannot be started again …). Findings and
 * lost control are results. */
bool explore(struct target *target, const struct explore_options *options,
	     struct explore_result *result, struct err *err);
void explore_result_release(struct explore_result *result);

/* All runs of the search, of whatever kind. */
uint64_t explore_runs(const struct explore_result *result);

/* The limits that runs reached (set of enum trace_bound) in words: each forbids a proof. Returns
 * how many. */
enum { EXPLORE_BOUNDS_MAX = 4 };
uint32_t explore_list_bounds(uint32_t bounded, const char *texts[EXPLORE_BOUNDS_MAX]);

#endif

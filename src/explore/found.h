/* found.h: a finding together with the run that shows it, and how it becomes fit to be shown.
 *
 * A detector's finding is one sentence about one trace. Before a user sees it, the schedule of
 * that trace is replayed in a fresh instance of the target (confirm), made shorter (shrink), and
 * replayed once more with call stacks recorded. found_finish() does all three; both loops of the
 * tool (explore.h, prop/prop.h) and `fermata replay` use these functions.
 */
#ifndef EXPLORE_FOUND_H
#define EXPLORE_FOUND_H

#include <signal.h>

#include "core/finding.h"
#include "core/schedule.h"
#include "target/target.h"

struct found {
	struct finding finding;
	struct trace *trace;         /* owned: the shortest run known that still fails */
	struct decision *decisions;  /* owned: that run as a strict schedule */
	uint32_t decisions_len;
	uint32_t preemptions;
	struct decision *other;      /* owned: of a leak, a run that frees the blocks; or NULL */
	uint32_t other_len;
	bool is_cut;     /* shortening stopped before the schedule was locally minimal */
	char not_again[256]; /* why a replay of it lost control; "" it did not */
	bool is_tied;    /* shows only with the environment and path of the tested program */
	uint32_t always; /* so many other schedules were tried, and each showed it; or 0 */
};

struct spare;

/* A limit of shrink(): whatever is reached first. */
struct shrink_budget {
	double seconds;
	uint32_t runs;
	const volatile sig_atomic_t *stop; /* borrowed: set by Ctrl-C; or NULL */
};

/* Copies the finding, the trace and its schedule. `other` (of a leak; or NULL) is copied too. */
struct found found_of(const struct finding *finding, const struct trace *trace,
		      const struct trace *other);
void found_release(struct found *found);

/* In a fresh instance of the target: replays the finding, shortens its schedule, replays that
 * with call stacks recorded and keeps that trace. False if the finding does not show, or with err
 * if the world is wrong. *runs grows by the runs that shrinking made.
 *
 * A finding of the first run (is_first) may have nothing to do with timing: then some other
 * schedules are run, to see whether it shows in all of them. */
bool found_finish(struct found *found, struct target *fresh, const struct shrink_budget *budget,
		  bool is_first, uint64_t *runs, struct err *err);

/* shrink.c: replaces the run by one with fewer preemptions, then fewer events, as long as the
 * same finding (by fingerprint) shows and the budget lasts. The result is never worse; is_cut is
 * set if the budget ended first. */
void shrink(struct spare *spare, struct found *found, const struct shrink_budget *budget,
	    uint64_t *runs);

/* Runs the decisions strictly. True if the finding shows again; its sites are then those of this
 * run, which *trace is. */
bool found_confirm(struct target *target, struct found *found, struct trace *trace,
		   struct err *err);

/* Does this finding (by fingerprint) show in this trace? Then it is brought up to date. */
bool trace_shows(const struct trace *trace, struct finding *finding);

#endif

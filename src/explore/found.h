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

/* The search up to the run that showed a finding, that run included. */
struct found_search {
	uint64_t executions, sampled, blocked, spins, steps;
	double wall_seconds;
};

/* Two steps of the failing run whose order matters: had `second` come before `first`, the run would
 * have been the passing one. */
enum {
	FOUND_NO_PAIR = 0xffffffffu, /* as `first`: the pair of a passing run is not known */
	FOUND_ALSO_MAX = 3,
};

struct found_pair {
	uint32_t first;  /* step */
	uint32_t second; /* step; events_len: `actor` did not take it */
	uint32_t actor;  /* of `second` */
	uint32_t passing; /* the step of the passing run that `second` is */
	bool is_loose; /* the passing run differs from this one in further orders */
	uint32_t also[FOUND_ALSO_MAX]; /* steps of other actors that must come before `first`, too */
	uint32_t also_len;
};

struct found {
	struct finding finding;
	struct found_search search;
	struct trace *trace;         /* owned: the shortest run known that still fails */
	struct decision *decisions;  /* owned: that run as a strict schedule */
	uint32_t decisions_len;
	uint32_t preemptions;
	struct decision *other;      /* owned: of a leak, a run that frees the blocks; or NULL */
	uint32_t other_len;
	struct decision *passing;    /* owned: the nearest run that ends well (nearest.h); or NULL */
	uint32_t passing_len;
	struct found_pair reversed;  /* if there is a passing run */
	bool is_cut;     /* shortening stopped before the schedule was locally minimal */
	char not_again[256]; /* why a replay of it lost control; "" it did not */
	bool is_tied;    /* shows only with the environment and path of the tested program */
	uint32_t always; /* all schedules were tried, so many, and each failed (always.h); or 0 */
	uint32_t shown;  /* with `always`: so many of them show this finding */
	uint64_t always_assumed; /* with `always`: a set of enum trace_assumed */
	uint32_t tried;  /* so many other schedules failed as well, but not all were tried; or 0 */
	uint32_t patient; /* the test sleeps before it fails, and so many schedules did not fail in which
	                     its sleeps last until no other actor can go on (always.h); or 0 */
	bool is_left_out; /* explore_options.confirmed: it does not count, and the search goes on */
	bool is_known;    /* the same: it counts, and the search goes on */
	char *output;    /* owned: what the program printed in the run that the trace is; or NULL */
	size_t output_len;
};

/* Is it known which two steps are the other way round in the passing run? */
static inline bool found_has_pair(const struct found *found)
{
	return found->passing && found->reversed.first != FOUND_NO_PAIR;
}

struct spare;

/* The limits of found_finish(): whatever is reached first. The two runs that confirm the finding
 * are made in any case. Other schedules and shortening have a share of the time that is left. A run
 * is not begun if it would not end within that share, judging by the time of the first run. */
struct shrink_budget {
	double seconds;  /* for shortening */
	uint32_t runs;   /* the same */
	const volatile sig_atomic_t *stop; /* borrowed: set by Ctrl-C or the end of time; or NULL */
	double others_seconds; /* for trying other schedules */
	double deadline; /* of everything (base/clock.h); 0: none */
	uint32_t ignored; /* set of finding kinds that do not count as a failure */
};

/* Copies the finding, the trace and its schedule. `other` (of a leak; or NULL) is copied too. */
struct found found_of(const struct finding *finding, const struct trace *trace,
		      const struct trace *other);
void found_release(struct found *found);

/* The run as a strict schedule; a new array. */
struct decision *found_decisions(const struct trace *trace);

/* Keeps what the program printed in that run. */
void found_keep_output(struct found *found, const struct trace *trace);

/* In a fresh instance of the target: replays the finding, shortens its schedule, replays that
 * with call stacks recorded and keeps that trace. False if the finding does not show, or with err
 * if the world is wrong. *runs grows by the runs that shrinking made.
 *
 * A finding of the first run (is_first) may have nothing to do with timing: then other schedules
 * are run, to see whether all of them fail (always.h).
 *
 * The output that is kept is that of the failing run, or of the run that shortening put in its
 * place: the last replay has another environment, and the program may print that. */
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

/* Why a finding that did not show again says that control is lost. A hang was a step that is only
 * slow: it had more time. `moving`: what can differ from process to process (target_moving()), or
 * NULL. */
void found_explain_gone(const struct found *found, const char *moving, char *out, size_t size);

#endif

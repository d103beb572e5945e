/* stats.h: the numbers of a search while it runs: a file for scripts (--stats), and how the numbers
 * grew, for the plots on the page.
 *
 *	stats_begin(&stats, options->stats, started);
 *	stats_note(&stats, &result, trace);      after each run: cheap
 *	stats_write(&stats, facts, false);       now and then: about once a second there is a file
 *	stats_write(&stats, facts, true);        at the end
 *	stats_release(&stats);
 *
 * The file is JSON and is renamed into place, so that a reader never sees half of it. A file that
 * cannot be written is reported once, and the search goes on.
 *
 * Of the growth some hundred points are kept. When there are too many, every second one goes, and
 * from then on points are taken half as often. So a search of ten runs and one of ten million both
 * give a curve, and the cost of a run is one comparison.
 */
#ifndef CLI_STATS_H
#define CLI_STATS_H

#include <jansson.h>

#include "base/vec.h"
#include "explore/explore.h"

struct stats_point {
	double seconds;
	uint64_t runs, outcomes, traces, findings, covered;
	uint64_t tests, size; /* of `prop`: tests done; size of the failing test */
};

struct stats {
	const char *path; /* of the file; or NULL */
	double started;   /* base/clock.h */
	double written;   /* when the file was written last; 0: not yet */
	VEC(struct stats_point) points;
	uint64_t every;   /* runs between two points */
	uint32_t depth, deepest; /* steps of the last run, and of the longest */
	bool has_failed;  /* the file could not be written */
};

void stats_begin(struct stats *stats, const char *path, double started);

/* After a run; with trace NULL the search begins anew. `result` has the sums so far. Returns the
 * point that was taken, in which the caller may set `covered`; NULL if none was. */
struct stats_point *stats_note(struct stats *stats, const struct explore_result *result,
			       const struct trace *trace);

/* After a test of a property, or when the failing test got smaller: `size` is the number of its calls,
 * or of characters of its instance; 0 while no test has failed. */
void stats_note_test(struct stats *stats, uint64_t runs, uint64_t tests, uint64_t size);

/* The search is over: the last point is that of all its runs. Returns true. */
bool stats_end(struct stats *stats, const struct explore_result *result);

/* Takes `facts`, an object, and adds the time. Unless `now`, it is written only if the last file is
 * about a second old. */
void stats_write(struct stats *stats, json_t *facts, bool now);

/* Is it time for stats_write()? A caller asks first, so that it does not make facts
 * that are thrown away. */
bool stats_is_due(const struct stats *stats);

/* The growth: {"columns": ["seconds", "runs", …], "rows": [[0.1, 20, …], …]}; a new value. */
json_t *stats_history(const struct stats *stats);

/* The numbers of a search that runs or has ended ("searching", "confirming", "ended"): a new
 * object. `done` is the share of the search that is done, negative if it is not known; `estimate` is
 * the number of all executions, 0 if the estimates do not agree yet. */
json_t *stats_facts(const struct stats *stats, const struct explore_result *result,
		    const char *state, double done, double estimate);

void stats_release(struct stats *stats);

#endif

/* resume.h: a search that is saved now and then (store.h), and goes on later in another process.
 *
 * The file holds the state of the strategy (strategy_ops.save), the sums, the fingerprints seen,
 * the findings as schedules, and the target's knowledge of the program. The new process must also
 * give the same names to the same objects, and its detectors must know the runs that they compare
 * others with. So the history of the search (history.h) is saved, too, and the new process makes
 * its runs again.
 *
 *     resume = resume_new(store, &view);
 *     if (resume_is_saved(resume)) resume_load_findings(resume, &err), resume_load(resume, &err);
 *     while (…) {
 *             … a run …
 *             history_note(history, walk);    before the strategy learns from it
 *             resume_tend(resume, &err);      between two runs: saves if it is time
 *     }
 *     resume_finish(resume, is_over);
 *
 * A search that goes on makes the runs that it would have made without the interruption. There are
 * two exceptions: those samplers of `auto` that learn from runs begin anew; and a proof is not
 * certified, because the checker has not seen the runs of the earlier process.
 */
#ifndef EXPLORE_RESUME_H
#define EXPLORE_RESUME_H

#include "base/map.h"
#include "explore/explore.h"
#include "explore/history.h"
#include "explore/jobs_text.h"
#include "explore/store.h"
#include "explore/walk.h"

/* The search; all borrowed. */
struct resume_view {
	struct walk *walk;
	const struct explore_options *options;
	struct explore_result *result;
	struct map *seen; /* fingerprints */
	struct history *history; /* the owner notes the runs */
};

/* A finding of before. */
struct resume_finding {
	uint64_t fingerprint, executions_before;
	struct found_search search;
	struct jobs_schedule schedule;
	struct jobs_schedule other; /* of a leak, a run that frees the blocks; or no decisions */
	char *knowledge; /* owned: the target's, as it was then; the schedule is to be read with it */
};

struct resume;

/* NULL if the search is not to be saved, or the strategy cannot be saved. */
struct resume *resume_new(const struct resume_view *view);

/* Is there a saved search to go on with? */
bool resume_is_saved(struct resume *resume, struct err *err);

/* The findings, first: they are made again with what was known at that time. */
bool resume_load_findings(struct resume *resume, struct err *err);

/* Goes on with it: makes the runs that names depend on, and restores everything but the findings.
 * False with err if the program or the file is another one. */
bool resume_load(struct resume *resume, struct err *err);

/* The findings of before, in their order; valid until resume_finish. */
const struct resume_finding *resume_findings(const struct resume *resume, size_t *len);

/* The finding of before, as a run of its schedule in this walk shows it. */
bool resume_find_again(struct walk *walk, const struct resume_finding *saved, struct found *found,
		       struct err *err);

/* The finding that was added last to the result; the target has the knowledge of its schedule. */
void resume_note_finding(struct resume *resume, struct target *target);

/* Saves the search if it is time. A failure is reported once, in result->not_saved; then the search
 * goes on without being saved. */
void resume_tend(struct resume *resume);

/* The search begins anew. */
void resume_restart(struct resume *resume);

/* The search has ended. If it is over the file is removed, otherwise it is saved. Frees. */
void resume_finish(struct resume *resume, bool is_over);

#endif

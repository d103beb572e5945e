/* jobs.h: other processes that explore parts of a search (--jobs).
 *
 * The tool goes on exploring by itself. Between two of its runs it gives branches of its tree away
 * and takes results back (strategy/dpor_part.h): jobs_tend(). A worker that dies costs the time it
 * worked on its part, which another worker explores then; a part in which three workers died is
 * explored by the tool itself.
 *
 *     jobs = jobs_new(&walk, options, result);
 *     while (…) {
 *             if (jobs_tend(jobs))                      a worker saw something: run this
 *                     … walk_run(&walk, jobs_look(jobs)) …   schedule and look at its trace
 *             else
 *                     … walk_next(&walk) …
 *             … jobs_restart(jobs) if the search began anew …
 *     }
 *     jobs_free(jobs);
 */
#ifndef EXPLORE_JOBS_H
#define EXPLORE_JOBS_H

#include "explore/explore.h"
#include "explore/walk.h"

struct jobs;

/* NULL if one process is wanted, or the strategy cannot give anything away. Borrows all. */
struct jobs *jobs_new(struct walk *walk, const struct explore_options *options,
		      struct explore_result *result);

/* Takes results, gives branches away, starts workers; between two runs. True: there is a schedule
 * to look at. */
bool jobs_tend(struct jobs *jobs);

/* Are there schedules to look at? The search is not over before they were looked at. */
bool jobs_has_looks(const struct jobs *jobs);

/* The next schedule to look at, valid until the next call. */
const struct schedule *jobs_look(struct jobs *jobs);

/* The search begins anew: ends all workers. They are started again later. */
void jobs_restart(struct jobs *jobs);

void jobs_free(struct jobs *jobs);

#endif

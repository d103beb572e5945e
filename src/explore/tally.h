/* tally.h: everything that is added up over the explored runs.
 *
 * explore() hands each run that counts to tally_run(), exactly once and in the order of the
 * search. When the target's names change, the search begins anew and tally_restart() forgets what
 * was added up. A new consumer of every explored trace (a measure, a hash, a record of a proof)
 * is one call in each of these two functions.
 */
#ifndef EXPLORE_TALLY_H
#define EXPLORE_TALLY_H

#include "explore/explore.h"

/* Adds a run to the numbers of runs and steps only. */
void tally_count(struct explore_result *result, const struct trace *trace, bool is_burst);

/* Adds a run. `is_burst`: it belongs to a sampling burst before an exhaustive search;
 * `is_sample`: its strategy does not exhaust the space, or it belongs to such a burst. */
void tally_run(struct explore_result *result, const struct explore_options *options,
	       const struct trace *trace, bool is_burst, bool is_sample);

void tally_restart(struct explore_result *result, const struct explore_options *options);

#endif

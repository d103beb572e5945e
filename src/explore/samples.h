/* samples.h: a sampler whose runs are made by other processes (--jobs).
 *
 * The runs of random, pos and pct depend on a seed each, and for pct on the longest run so far.
 * So the tool cuts the row of seeds into *shares*, of some runs each, and sends them to workers.
 * Results are taken in the order of the seeds:
 *
 *   - If the sampler is not in the state that the share was given with (the longest run has
 *     grown), the share is given anew.
 *   - A worker stops before a run in which there is something to see (a finding, a new name, a run
 *     that was cut). The tool then makes that run itself, and the rest of the share is given anew.
 *
 * So counts, classes and findings, in this order, are those of a search without workers, whatever
 * their number. A share belongs to one worker; if the worker dies, the share is given to another,
 * and after three deaths the tool makes the runs of the share itself.
 */
#ifndef EXPLORE_SAMPLES_H
#define EXPLORE_SAMPLES_H

#include "explore/explore.h"
#include "explore/walk.h"

struct samples;

/* NULL if one process is wanted, or the strategy does not share its seeds. Borrows all. */
struct samples *samples_new(struct walk *walk, const struct explore_options *options,
			    struct explore_result *result);

/* Takes and gives shares. True: the next run is to be made here. False: nothing is to be done now,
 * because the workers make the runs. */
bool samples_tend(struct samples *samples);

/* The search begins anew. */
void samples_restart(struct samples *samples);

void samples_free(struct samples *samples);

#endif

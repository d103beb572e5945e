/* spare.h: an instance of the target for tries, so that the instance which confirms a finding learns
 * nothing.
 *
 * A try may show something new about the program (its first signal, a variable that races). From
 * then on runs of that instance have other steps, and the schedule of the finding no longer fits. So
 * the tries are made in a spare instance, and one that has learned something is replaced.
 */
#ifndef EXPLORE_SPARE_H
#define EXPLORE_SPARE_H

#include "explore/found.h"
#include "target/target.h"

struct spare {
	struct target *model;  /* borrowed: each spare instance begins with its knowledge */
	struct target *target; /* owned; NULL before the first try, or when the last one learned */
	bool is_tied;          /* it needs the environment and path of the model */
	const volatile sig_atomic_t *stop; /* borrowed: ends a try; or NULL */
};

/* Runs the schedule. False if the run cannot be used: it ended early, or nothing could be run. */
bool spare_run(struct spare *spare, const struct schedule *schedule, struct trace *trace);

/* Another instance, for a search of its own, which the caller frees; NULL if none can be made. */
struct target *spare_new(struct spare *spare);

void spare_release(struct spare *spare);

#endif

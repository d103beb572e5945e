/* repeats.h: is it true that a run begins as the run before (trace.repeats)?
 *
 * The strategy claims this of the schedules that it makes. Detectors rely on the claim: they look
 * only at the rest of the run. Where the target is checked (target/checked.h) the walk checks this,
 * too: it keeps a copy of the last run and compares. A difference is an error of ours (BUG_ON).
 */
#ifndef EXPLORE_REPEATS_H
#define EXPLORE_REPEATS_H

#include "base/vec.h"
#include "core/trace.h"

struct repeats {
	VEC(struct event) events; /* of the last run */
	VEC(struct plain) plains;
};

/* To be called for every trace that detectors look at, in that order. */
void repeats_check(struct repeats *repeats, const struct trace *trace);

void repeats_release(struct repeats *repeats);

#endif

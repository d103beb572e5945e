/* locksets.h: which locks the actor of each event of a trace held when it got there.
 *
 * Two steps under one lock are never enabled together, so there is no point in trying them
 * the other way round. Only locks held alone count: two readers may well go together. One pass
 * over the trace; used again run after run.
 */
#ifndef CORE_LOCKSETS_H
#define CORE_LOCKSETS_H

#include "base/vec.h"
#include "core/trace.h"

enum { LOCKSETS_HELD_MAX = 16 }; /* more at once are forgotten */

struct lockset {
	uint64_t locks[LOCKSETS_HELD_MAX];
	uint32_t len;
};

struct locksets {
	VEC(struct lockset) actors; /* at the end of the trace */
	VEC(uint64_t) pool;         /* the sets of all events, one after the other */
	VEC(uint32_t) starts;       /* by event, and one more: where its set begins */
};

void locksets_build(struct locksets *locksets, const struct trace *trace);

/* Did the actor of event i hold, when it got there, a lock that the actor of event j held when
 * that one did? */
bool locksets_share(const struct locksets *locksets, uint32_t i, uint32_t j);

/* The same for what an actor would do next, when the trace was over. */
bool locksets_share_next(const struct locksets *locksets, uint32_t i, uint32_t actor);

void locksets_release(struct locksets *locksets);

#endif

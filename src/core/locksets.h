/* locksets.h: the locks that the actor of each event of a trace held before the event.
 *
 * Two steps under one lock are never enabled together, so they are not tried in the other
 * order. Only locks that are held alone count: two readers can go together. One pass
 * over the trace; used again run after run.
 */
#ifndef CORE_LOCKSETS_H
#define CORE_LOCKSETS_H

#include "base/vec.h"
#include "core/trace.h"

enum { LOCKSETS_HELD_MAX = 16 }; /* of more locks at once only these are known */

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

/* Is there a lock that the actor of event i held before event i, and the actor of event j before
 * event j? */
bool locksets_share(const struct locksets *locksets, uint32_t i, uint32_t j);

/* The same for event i and the next step of an actor after the end of the trace. */
bool locksets_share_next(const struct locksets *locksets, uint32_t i, uint32_t actor);

void locksets_release(struct locksets *locksets);

#endif

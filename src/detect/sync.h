/* sync.h: the order that the language guarantees (C11 and C++20 synchronises-with), by vector
 * clocks. It is not the dependence order of core/order.h: in that one conflicting accesses are
 * always ordered, and a data race is a pair that this one leaves unordered.
 *
 * Feed it the events of a trace in order; in between ask whether an earlier point of another actor
 * happens before now. The next trace mostly begins with the same events: sync_back takes back the
 * events behind those, so that they need not be fed again. Relaxed atomics order nothing; release
 * sequences and fences do; locks, semaphores, barriers, creation and joining do. Condition
 * variables and timers do not: their mutex does. Destroying a condition or a barrier comes after
 * the woken threads have left it. */
#ifndef DETECT_SYNC_H
#define DETECT_SYNC_H

#include "base/map.h"
#include "base/vec.h"
#include "core/trace.h"

struct sync {
	uint32_t width;
	bool is_wide;          /* join clocks by wide instructions */
	VEC(uint32_t) clocks;  /* per actor: its clock, then at its last release fence, then
	                          what its relaxed loads have seen */
	VEC(uint32_t) objects; /* per object: released by writers (or stores), by readers */
	struct map object_index;
	bool is_final;         /* sync_back will not be called: keep nothing for it */
	VEC(uint32_t) undo;    /* clocks before they changed, each with its place behind it */
	VEC(size_t) steps;     /* length of `undo` before each event */
};

void sync_start(struct sync *sync, uint32_t actors_len);
void sync_take(struct sync *sync, const struct event *event);

/* As after the first `events` events since sync_start. Not if is_final was set since. */
void sync_back(struct sync *sync, size_t events);

void sync_release(struct sync *sync);

/* The actor's own time now: compare it later with sync_knows. */
static inline uint32_t sync_time(const struct sync *sync, uint32_t actor)
{
	return sync->clocks.items[(size_t)actor * 3 * sync->width + actor];
}

/* Does `actor` now know of the moment `time` of `other`? */
static inline bool sync_knows(const struct sync *sync, uint32_t actor, uint32_t other,
			      uint32_t time)
{
	return sync->clocks.items[(size_t)actor * 3 * sync->width + other] >= time;
}

#endif

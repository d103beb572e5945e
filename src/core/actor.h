/* actor.h: actors (threads, processes and the like, which take the steps) and their names.
 *
 * Actors are threads, processes, and virtual actors for things that the
 * environment may do: a timer that may expire, a spurious wake-up, a channel that delivers.
 * An actor is named by its place in the spawn tree: P1 is the first, P1.2 its
 * second child, P1.2/timer1 a virtual actor that belongs to P1.2.
 *
 * The actor table lives as long as the exploration, not the run. The index of an actor is
 * looked up by (parent, kind, nth), so it is the same in every schedule. Everything else
 * (events, decisions, bit sets, heap regions) may use the index. A saved schedule carries
 * its table. The order of indices means nothing: where an order must not depend on the
 * history of the search, compare names.
 */
#ifndef CORE_ACTOR_H
#define CORE_ACTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ACTOR_NONE = 0xffffffffu, ACTOR_NAME_MAX = 256 };

enum actor_kind {
	ACTOR_REAL,     /* a thread or a process */
	ACTOR_TIMER,    /* an expiry that may fire */
	ACTOR_SPURIOUS, /* a wake-up without a signal, a weak CAS that fails */
	ACTOR_CHANNEL,  /* delivers the next signal of `parent` to actor number `nth` */
};

struct actor {
	uint32_t parent; /* ACTOR_NONE for P1 */
	uint32_t kind;   /* enum actor_kind */
	uint32_t nth;    /* its number among those of its kind and parent, from 1 */
};

static inline bool actor_is_virtual(const struct actor *actor)
{
	return actor->kind != ACTOR_REAL;
}

/* Writes the name of actors[index] into out ("P1.2/timer1"); returns its length. */
size_t actor_name(const struct actor *actors, uint32_t index, char out[ACTOR_NAME_MAX]);

/* A hash of the actor's place in the spawn tree: the same for an actor whatever its index. */
uint64_t actor_hash(const struct actor *actors, uint32_t index);

#endif

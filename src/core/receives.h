/* receives.h: the receives of a run, named so that they match those of other runs.
 *
 * After section III-B of Tasharofi, Pradel, Lin and Johnson, "Bita: coverage-guided
 * automatic testing of actor programs", ASE 2013. An actor is named by the receive in which
 * its creator made it and how many that receive had made before; a message by the receive in
 * which it was sent and how many that receive had sent before; a receive by sender, receiver
 * and message. So a name does not depend on other parts of the schedule.
 *
 * Objects that are shared without messages are treated in the same way: an operation on a table,
 * a lock, a condition or an atomic variable is "received" by that object. Its name is made of the
 * actor, the object and the number of the operation among those of the actor on the object.
 *
 * Only asynchronous receives count. The answer to a call (WAITING_FOR_REPLY) is received right
 * after the receive that made the call, so its place is given.
 *
 * `arrival` is the event that gave a message its place in the mailbox (its delivery, or its
 * sending where that is the same step); for an operation it is the operation. That is the
 * step to move when receives are to change places.
 */
#ifndef CORE_RECEIVES_H
#define CORE_RECEIVES_H

#include "base/map.h"
#include "base/vec.h"
#include "core/causality.h"
#include "core/dependence.h"
#include "core/trace.h"

/* Further receives of a run are left out, and `cut` is set. */
enum { RECEIVES_MAX = 256 };

struct receive {
	uint64_t name;
	uint64_t receiver;
	uint32_t event;   /* index in the trace */
	uint32_t arrival; /* index in the trace */
	uint32_t mode;    /* of an operation; ACCESS_RECV for messages */
	bool changes;     /* the receiver behaves differently afterwards */
};

struct receives_actor {
	uint64_t name;
	uint64_t receive;  /* name of the receive it is in */
	uint32_t created, sent; /* in that receive */
	uint32_t last;     /* index in items of its last receive of a message, plus one */
	uint64_t behaviour; /* at that receive */
};

struct receives {
	VEC(struct receive) items; /* in the order in which they happened */
	bool cut;
	/* by actor, while a trace is looked at */
	VEC(struct receives_actor) actors;
	VEC(uint64_t) messages; /* by event: name of the message it sent */
	struct map operations;  /* actor and object -> how many so far */
};

/* Fills items from the trace; `causality` is of the same trace. */
void receives_find(struct receives *receives, const struct trace *trace,
		   const struct causality *causality);
void receives_release(struct receives *receives);

/* Does the order of the two make a difference? Then they are a pair. */
static inline bool receives_are_related(const struct receive *a, const struct receive *b)
{
	return a->receiver == b->receiver &&
	       (a->mode == ACCESS_RECV || b->mode == ACCESS_RECV ||
		access_modes_conflict(a->mode, b->mode));
}

#endif

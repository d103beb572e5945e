/* event.h: one visible step of one actor.
 *
 * An actor stops before each visible step and announces it as a struct event; when
 * it is chosen the step is taken and the same struct, corrected to what really
 * happened, goes into the trace. Events are plain data of a fixed size: they are
 * written by the runtime inside the tested program, copied through shared memory,
 * kept by strategies and printed by reports.
 *
 * A step that touches more than EVENT_ACCESSES objects must say so with a coarser
 * object (the table instead of its keys).
 */
#ifndef CORE_EVENT_H
#define CORE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/access.h"
#include "core/actor.h"
#include "core/object.h"

enum event_kind {
#define EVENT(name, text, flags) EVENT_##name,
#include "core/event.def"
#undef EVENT
	EVENT_KINDS
};

/* Properties of a kind (the third column of event.def). */
enum {
	EVENT_KIND_INWARD = 1,
	EVENT_KIND_SYNC = 2,
	EVENT_KIND_ENDS = 4,
};

/* Properties of one event. */
enum {
	EVENT_WAS_OPEN = 1,  /* an enabling step that found the door open (see access.def) */
	EVENT_FAILED = 2,    /* a try that failed, a CAS that lost, a wait that timed out */
	EVENT_VOID = 4,      /* belongs to a void turn of a spin loop */
	EVENT_DISCARDED = 8, /* the result of a relaxed update is provably not used */
	EVENT_BLOCKED = 16,  /* pending only: was not enabled when the run ended */
	EVENT_UNFED = 32,    /* pending only: waits for a signal nobody has sent */
	EVENT_OF_OWNER = 64, /* of a virtual actor whose owner (peer) waited for it: it stands
	                        between two steps of the owner */
	EVENT_TRY = 128,     /* never waits: with the door closed it would have failed */
};

/* An event at a place the user asked about (event.watched): it reads what a later one of the
 * same actor relies on, or it is that later one. */
enum {
	EVENT_WATCHED_READ = 1,
	EVENT_WATCHED_WRITE = 2,
};

/* How an actor waits in a receive, for coverage. */
enum {
	WAITING_UNKNOWN,
	WAITING_FOR_REPLY, /* takes only the answer to a call of its actor */
	WAITING_STATES,    /* from here on a number of the state it is in, beside the site */
};

/* C11 memory orders, as event.order; for what has none, ORDER_NONE. */
enum event_order {
	ORDER_NONE,
	ORDER_RELAXED,
	ORDER_ACQUIRE,
	ORDER_RELEASE,
	ORDER_ACQ_REL,
	ORDER_SEQ_CST,
};

enum { EVENT_ACCESSES = 4 };

struct event {
	uint32_t actor;   /* index into the actor table */
	uint32_t ordinal; /* the how-manieth event of its actor, from 0 */
	uint16_t kind;    /* enum event_kind */
	uint8_t access_len;
	uint8_t flags;
	uint8_t order;    /* enum event_order */
	uint8_t unchanged : 4; /* a write that left the value as it was (only spin loops care) */
	uint8_t spare : 4;
	uint8_t watched;  /* set of EVENT_WATCHED_… */
	uint8_t waiting;  /* of a receive: WAITING_… */
	uint32_t context; /* calling context, a number the target can turn into frames; 0 none */
	uint32_t peer;    /* the actor it creates, joins or was fed by; ACTOR_NONE otherwise */
	uint32_t peer_ordinal; /* of the event that fed it */
	uint32_t deadline; /* of a timer that goes only in the order of deadlines: when; else 0 */
	uint64_t site;    /* code address, or what the target uses for one */
	uint64_t value;   /* what it observed: the value read, the result (for comparing runs) */
	struct access accesses[EVENT_ACCESSES];
};

/* A read that can only happen when the value lets it. */
static inline bool event_waits_for_value(const struct event *event)
{
	return event->access_len && event->accesses[0].mode == ACCESS_AWAIT;
}

/* Would the two steps, taken in the other order, give the same? Only by accesses:
 * steps of one actor are always ordered, and so is creation before the created. */
static inline bool event_accesses_conflict(const struct access *a, uint32_t a_len,
					   const struct access *b, uint32_t b_len)
{
	for (uint32_t i = 0; i < a_len; i++)
		for (uint32_t j = 0; j < b_len; j++)
			if (access_conflict(&a[i], &b[j]))
				return true;
	/* An end of the run also conflicts with steps that touch nothing. */
	return (a_len && a[0].mode == ACCESS_WORLD) || (b_len && b[0].mode == ACCESS_WORLD);
}

static inline bool event_conflict(const struct event *a, const struct event *b)
{
	return event_accesses_conflict(a->accesses, a->access_len, b->accesses, b->access_len);
}

/* The step is about to be taken: what it does may turn out weaker than announced. */
static inline void event_fix_announced(struct event *event)
{
	for (uint32_t i = 0; i < event->access_len; i++)
		event->accesses[i].announced = event->accesses[i].mode;
}

/* The step as it was announced: what it may do in other circumstances. */
static inline struct event event_as_announced(const struct event *event)
{
	struct event result = *event;

	for (uint32_t i = 0; i < result.access_len; i++)
		result.accesses[i].mode = result.accesses[i].announced;
	return result;
}

/* Did the step do less than it announced? Elsewhere in a run it may do more. */
static inline bool event_did_less(const struct event *event)
{
	for (uint32_t i = 0; i < event->access_len; i++)
		if (event->accesses[i].mode != event->accesses[i].announced)
			return true;
	return false;
}

/* Is a an exit signal to the actor of b, or to the one that b is a timer of? Then everything b
 * does depends on it; unless it came too late (EVENT_FAILED) and b is later still. */
static inline bool event_is_upon(const struct event *a, const struct event *b)
{
	return a->kind == EVENT_EXIT_SIGNAL && a->peer != ACTOR_NONE &&
	       (a->peer == b->actor || ((b->flags & EVENT_OF_OWNER) && a->peer == b->peer));
}

/* May it be that there is no b after a? Because a ends its actor, by a signal or by delivering one,
 * or because b is a timer and a gives its owner what that waits for. */
static inline bool event_forestalls(const struct event *a, const struct event *b)
{
	if (event_is_upon(a, b))
		return true;
	if ((b->flags & EVENT_OF_OWNER) && b->access_len &&
	    (b->peer == a->actor ||
	     event_accesses_conflict(a->accesses, a->access_len, b->accesses, 1)))
		return true;
	for (uint32_t i = 0; a->kind == EVENT_DELIVER && i < a->access_len; i++)
		for (uint32_t j = 0; j < b->access_len; j++)
			if (a->accesses[i].object == b->accesses[j].object &&
			    OBJECT_CLASS(a->accesses[i].object) == OBJECT_STEPS)
				return true;
	return false;
}

/* Does it create an actor, its peer? A message may: to a process that is no actor itself. */
static inline bool event_creates(const struct event *event)
{
	return event->peer != ACTOR_NONE &&
	       (event->kind == EVENT_CREATE || event->kind == EVENT_SPAWN ||
		event->kind == EVENT_SEND);
}

/* Is it after the event that its peer and peer_ordinal name, which sent what it takes, or
 * brought what ends it? */
static inline bool event_takes(const struct event *event)
{
	return event->kind == EVENT_RECEIVE || event->kind == EVENT_DELIVER ||
	       event->kind == EVENT_FINISH;
}

/* Is e what fed f: the message it took, the signal that let it go, the write it waited for? */
static inline bool event_is_fed_by(const struct event *f, const struct event *e)
{
	return f->peer == e->actor && f->peer_ordinal == e->ordinal;
}

/* A receive that does not wait: it could have come before what it took. */
static inline bool event_polls(const struct event *event)
{
	return event->kind == EVENT_RECEIVE && event->access_len &&
	       event->accesses[0].mode == ACCESS_POLL;
}

/* Does it leave a waiting set? If a signal let it go, its peer and peer_ordinal name that. */
static inline bool event_is_woken(const struct event *event)
{
	for (uint32_t a = 0; a < event->access_len; a++)
		if (event->accesses[a].mode == ACCESS_LEAVE)
			return true;
	return false;
}

/* Did the first take a lock in a way that keeps the second from what it announces? */
static inline bool event_locks_out(const struct event *a, const struct event *b)
{
	for (uint32_t i = 0; i < a->access_len; i++)
		for (uint32_t j = 0; j < b->access_len; j++)
			if ((a->accesses[i].mode == ACCESS_ACQUIRE ||
			     a->accesses[i].mode == ACCESS_SHARE) &&
			    (b->accesses[j].mode == ACCESS_ACQUIRE ||
			     b->accesses[j].mode == ACCESS_SHARE) &&
			    access_conflict(&a->accesses[i], &b->accesses[j]))
				return true;
	return false;
}

/* Does the second need the first, or the first the second, whatever they touch? Not the same
 * in the other order of arguments. */
static inline bool event_leads_to(const struct event *a, const struct event *b)
{
	if (a->peer == b->actor && event_creates(a))
		return true;
	if (b->peer == a->actor &&
	    (b->kind == EVENT_JOIN ||
	     (event_takes(b) && b->peer_ordinal == a->ordinal)))
		return true;
	if (event_is_upon(a, b) || event_is_upon(b, a))
		return true;
	return ((a->flags & EVENT_OF_OWNER) && a->peer == b->actor) ||
	       ((b->flags & EVENT_OF_OWNER) && b->peer == a->actor);
}

/* Of two events of one trace, a before b: must a stay before b? (Not transitive.) */
static inline bool event_dependent(const struct event *a, const struct event *b)
{
	return a->actor == b->actor || event_conflict(a, b) || event_leads_to(a, b);
}

/* In one order or the other. */
static inline bool event_dependent_anyhow(const struct event *a, const struct event *b)
{
	return a->actor == b->actor || event_conflict(a, b) || event_leads_to(a, b) ||
	       event_leads_to(b, a);
}

const char *event_kind_text(uint32_t kind);
/* What an actor is in that waits to take such a step: "cond-wait" before a "wake". */
const char *event_wait_text(uint32_t kind);

/* Set of EVENT_KIND_…; inline, because the follower inside the tested program asks, too. */
static inline uint32_t event_kind_flags(uint32_t kind)
{
	enum {
		INWARD = EVENT_KIND_INWARD,
		SYNC = EVENT_KIND_SYNC,
		ENDS = EVENT_KIND_ENDS,
	};
	static const uint8_t flags_of[EVENT_KINDS] = {
#define EVENT(name, text, flags) [EVENT_##name] = flags,
#include "core/event.def"
#undef EVENT
	};

	return kind < EVENT_KINDS ? flags_of[kind] : 0;
}

/* The kind with that text, or EVENT_KINDS. For reading saved files. */
uint32_t event_kind_named(const char *text);

#endif

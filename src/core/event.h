/* event.h: one visible step of one actor.
 *
 * An actor stops before each visible step and announces it as a struct event; when
 * it is chosen the step is taken, and the same struct, corrected after what really
 * happened, goes into the trace. Events are plain data of a fixed size: they are
 * written by the runtime inside the tested program, copied through shared memory,
 * kept by strategies and printed by reports.
 *
 * A step that touches more than EVENT_ACCESSES objects must name a coarser object instead
 * (the table instead of its keys).
 */
#ifndef CORE_EVENT_H
#define CORE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
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
	EVENT_KIND_CREATES = 8,
	EVENT_KIND_TAKES = 16,
	EVENT_KIND_FED = 32,
	EVENT_KIND_VARIES = 64,
};

/* Properties of one event. */
enum {
	EVENT_WAS_OPEN = 1,  /* an enabling step that found the door open (dependence.def) */
	EVENT_EXPOSED = 1,   /* a plain access under a weak memory model whose race is known: it may
	                        read any write, or be placed anywhere, as a relaxed one */
	EVENT_BY_KERNEL = 1, /* a load of the word of a futex by the kernel, under a weak memory model:
	                        the program cannot give it another order */
	EVENT_OVERTAKEN = 1, /* an exit signal whose receiver another signal had ended before */
	EVENT_FAILED = 2,    /* a try that failed, a CAS that lost, a wait that timed out */
	EVENT_VOID = 4,      /* belongs to a void turn of a spin loop */
	EVENT_DISCARDED = 8, /* the result of a relaxed update is provably not used */
	EVENT_ENDS_SLEEP = 8, /* a timer whose owner waits for nothing else (timer:sleep) */
	EVENT_TO_ITSELF = 8, /* the delivery of a signal to the process that caused it: its next poll
	                        would have taken the signal along */
	EVENT_BLOCKED = 16,  /* pending only: was not enabled when the run ended */
	EVENT_UNFED = 32,    /* pending only: waits for a signal that was not sent */
	EVENT_OF_OWNER = 64, /* a step of a virtual actor that its owner (event_owner) waits
	                        for: it stands between two steps of the owner */
	EVENT_TRY = 128,     /* never waits: with the door closed it would have failed */
};

/* An event at a place that the user asked about (event.watched): a read that a later event of the
 * same actor relies on, or that later event. */
enum {
	EVENT_WATCHED_READ = 1,
	EVENT_WATCHED_WRITE = 2,
};

/* How an actor waits in a receive, for coverage. */
enum {
	WAITING_UNKNOWN,
	WAITING_FOR_REPLY, /* takes only the reply to a call that its actor made */
	WAITING_STATES,    /* this and greater numbers: the state of the actor, beside the site */
};

/* C11 memory orders; an event that is not an atomic operation has MEMORY_ORDER_NONE. */
enum memory_order {
	MEMORY_ORDER_NONE,
	MEMORY_ORDER_RELAXED,
	MEMORY_ORDER_ACQUIRE,
	MEMORY_ORDER_RELEASE,
	MEMORY_ORDER_ACQ_REL,
	MEMORY_ORDER_SEQ_CST,
};

/* The value of a step that looks whether a thread was joined (TO_CANCEL, TO_SIGNAL). */
enum { EVENT_LOOK_NOT_JOINED = 1, EVENT_LOOK_JOINED };

enum { EVENT_ACCESSES = 4, EVENT_WEAK_ACCESSES = 2 };

/* As event.deadline: the timer fires in the order of deadlines, and the trace does not say when. */
enum { DEADLINE_UNTOLD = 1 };

/* More about an atomic access under a weak memory model. It lies where other events have their
 * last accesses, because every byte of an event is copied several times per run. */
struct event_weak {
	uint32_t source;  /* the write that was read, or after which it was placed: see below */
	uint32_t source_ordinal;
	uint64_t written; /* a hash of the value written; of a failed compare-and-swap, expected */
	uint64_t matches; /* bit i is about reading the i-th write of the variable in modification
	                     order (0 is the initial value). Of a compare-and-swap: it succeeds. Of
	                     a load: it is not known that the loop around it would look in vain */
};

struct event {
	uint32_t actor;   /* index into the actor table */
	uint32_t ordinal; /* its number among the events of its actor, from 0 */
	uint16_t kind;    /* enum event_kind */
	uint8_t access_len;
	uint8_t flags;
	uint8_t memory_order; /* enum memory_order */
	uint8_t unaided : 1; /* possible without the step of a timer of its actor before it */
	uint8_t unchanged : 4; /* a write that left the value as it was (only spin loops care) */
	uint8_t other_order : 3; /* of a compare-and-swap: the order it would have had if it had
	                            failed instead of succeeded, or the other way round */
	uint8_t watched : 2;  /* set of EVENT_WATCHED_… */
	uint8_t is_weak : 1; /* an atomic access under a weak memory model: it has .weak */
	uint8_t waiting;  /* of a receive: WAITING_… */
	uint32_t context; /* calling context, for the target to turn into frames; 0: not recorded */
	uint32_t peer;    /* another actor, or ACTOR_NONE: event_created, event_joined, … */
	uint32_t peer_ordinal; /* of the feeder: event_is_fed_by */
	uint32_t deadline; /* of a timer that fires in the order of deadlines; else 0 */
	uint64_t site;    /* code address, or the number that the target uses instead */
	uint64_t value;   /* the value read, or the result; for comparing runs */
	union {
		struct access accesses[EVENT_ACCESSES];
		struct {
			struct access few_accesses[EVENT_WEAK_ACCESSES];
			struct event_weak weak; /* of an event that is_weak */
		};
	};
};

/* The accesses that the event has room for. */
static inline uint32_t event_room(const struct event *event)
{
	return event->is_weak ? EVENT_WEAK_ACCESSES : EVENT_ACCESSES;
}

/* Set of EVENT_KIND_…; inline, because the follower inside the tested program asks, too. */
static inline uint32_t event_kind_flags(uint32_t kind)
{
	enum {
		INWARD = EVENT_KIND_INWARD,
		SYNC = EVENT_KIND_SYNC,
		ENDS = EVENT_KIND_ENDS,
		CREATES = EVENT_KIND_CREATES,
		TAKES = EVENT_KIND_TAKES,
		FED = EVENT_KIND_FED,
		VARIES = EVENT_KIND_VARIES,
	};
	static const uint8_t flags_of[EVENT_KINDS] = {
#define EVENT(name, text, flags) [EVENT_##name] = flags,
#include "core/event.def"
#undef EVENT
	};

	return kind < EVENT_KINDS ? flags_of[kind] : 0;
}

/* The access to that object, or NULL. */
static inline const struct access *event_find_access(const struct event *event, uint64_t object)
{
	for (uint32_t a = 0; a < event->access_len; a++)
		if (event->accesses[a].object == object)
			return &event->accesses[a];
	return NULL;
}

/* ---- what was announced and what happened ---- */

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

/* ---- the peer, by meaning ----
 *
 * The peer of an event is another actor, and the kind of the event says which part that actor
 * plays. Use these functions instead of the fields. A getter returns ACTOR_NONE if the event
 * has no such peer. */

/* The actor that the event creates. A message may create an actor, too: a channel, or the
 * process behind a name that was not an actor before. */
static inline uint32_t event_created(const struct event *event)
{
	return event_kind_flags(event->kind) & EVENT_KIND_CREATES ? event->peer : ACTOR_NONE;
}

static inline void event_set_created(struct event *event, uint32_t actor)
{
	event->peer = actor;
}

/* The actor whose end a join waits for. */
static inline uint32_t event_joined(const struct event *event)
{
	return event->kind == EVENT_JOIN ? event->peer : ACTOR_NONE;
}

static inline void event_set_joined(struct event *event, uint32_t actor)
{
	event->peer = actor;
}

/* Of a step of a virtual actor that its owner waits for: the owner. */
static inline uint32_t event_owner(const struct event *event)
{
	return event->flags & EVENT_OF_OWNER ? event->peer : ACTOR_NONE;
}

/* Does a timer end a sleep of the first actor, which in Erlang is the test itself? */
static inline bool event_ends_test_sleep(const struct event *event)
{
	return event->kind == EVENT_TIMER && (event->flags & EVENT_ENDS_SLEEP) && event_owner(event) == 0;
}

static inline void event_set_owner(struct event *event, uint32_t actor)
{
	event->peer = actor;
	event->flags |= EVENT_OF_OWNER;
}

/* The process that an exit signal ends. */
static inline uint32_t event_exit_receiver(const struct event *event)
{
	return event->kind == EVENT_EXIT_SIGNAL ? event->peer : ACTOR_NONE;
}

static inline void event_set_exit_receiver(struct event *event, uint32_t actor)
{
	event->peer = actor;
}

/* Is e the feeder of f: the message it took, the signal that woke it, the write it waited for,
 * the end of the actor it joined? */
static inline bool event_is_fed_by(const struct event *f, const struct event *e)
{
	return f->peer == e->actor && f->peer_ordinal == e->ordinal;
}

/* Is the feeder an event of that actor, its event number `ordinal` or a later one? */
static inline bool event_is_fed_since(const struct event *event, uint32_t actor, uint32_t ordinal)
{
	return event->peer == actor && event->peer_ordinal >= ordinal;
}

static inline void event_set_feeder(struct event *event, uint32_t actor, uint32_t ordinal)
{
	event->peer = actor;
	event->peer_ordinal = ordinal;
}

/* ---- the source ----
 *
 * Under a weak memory model a load or an update does not always read the newest write. Its source
 * is the write that it reads. The source of a store is the write after which the store comes in the
 * modification order of the variable. An event names the write by actor and ordinal:
 *
 *	SOURCE_NONE      not recorded; in a decision: the last write in modification order
 *	SOURCE_INITIAL   the value that the variable had before it was written
 *	source_of_actor(actor) event number source_ordinal of that actor
 */
enum { SOURCE_NONE, SOURCE_INITIAL, SOURCE_FIRST_ACTOR };

static inline uint32_t source_of_actor(uint32_t actor)
{
	return actor + SOURCE_FIRST_ACTOR;
}

/* Is it recorded which write the event read, or after which write it was placed? */
static inline bool event_has_source(const struct event *event)
{
	return event->is_weak && event->weak.source != SOURCE_NONE;
}

static inline bool event_is_source(const struct event *write, uint32_t source, uint32_t ordinal)
{
	return source == source_of_actor(write->actor) && ordinal == write->ordinal;
}

/* The peer in whatever part, for code that renames actors or compares runs. */
static inline uint32_t event_peer(const struct event *event)
{
	return event->peer;
}

static inline void event_clear_peer(struct event *event)
{
	event->peer = ACTOR_NONE;
	event->peer_ordinal = 0;
}

static inline bool event_has_same_peer(const struct event *a, const struct event *b)
{
	return a->peer == b->peer && a->peer_ordinal == b->peer_ordinal;
}

const char *event_kind_text(uint32_t kind);
/* The call in which an actor waits to take such a step: "cond-wait" before a "wake". */
const char *event_wait_text(uint32_t kind);

/* The kind with that text, or EVENT_KINDS. For reading saved files. */
uint32_t event_kind_named(const char *text);

#endif

/* schedule.h: the decisions that a strategy wants a run to follow.
 *
 * A schedule is a list of decisions, followed strictly or relaxed, then a tail
 * policy for when they run out, and a sleep set. It is plain data: it can be saved,
 * edited, shortened, sent to another machine and replayed in ten years.
 *
 * Strict: at step i the actor of decisions[i] must be enabled and its announced
 * event must match; otherwise the run ends as diverged (the target broke
 * determinism, or the program changed).
 * Relaxed: a decision that is not possible now is dropped and the next is tried. Loose: as
 * relaxed, but ordinals do not count, and an actor that a decision creates gets the name it had
 * when the schedule was recorded. That is for a schedule of one test followed in a changed test.
 *
 * Sleep set: `sleepers` hold from step `sleep_from` on. A sleeper is not chosen; it
 * wakes when an event conflicts with the accesses its own event had when it ran.
 * If every enabled actor sleeps the run ends as asleep: its class was run before.
 *
 * Spinners: an actor that went round a loop and changed nothing is parked for the rest of the run.
 * That is right for a search that also runs the schedule in which the actor looks later. A sampler
 * has no such schedule, so its schedules have `resumes` set: the actor goes on when a variable that
 * it read is written. A decision that names a parked actor resumes it, too, so a sampled run can be
 * replayed.
 */
#ifndef CORE_SCHEDULE_H
#define CORE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/access.h"
#include "core/event.h"
#include "core/object.h"

/* As decision.kind: any announced event of the actor. */
enum { DECISION_ANY = 0xffff };

struct decision {
	uint32_t actor;
	uint32_t ordinal; /* of the event among its actor's */
	uint16_t kind;    /* enum event_kind expected */
	uint16_t left;    /* does the search come back to before it? enum decision_left */
	uint32_t creates; /* 1 + the actor it created when it was recorded; 0 none */
	uint64_t object;  /* of the event's first access; 0 when it has none */
	uint32_t source;  /* weak memory: the write to read, or to come after (event.h) */
	uint32_t source_ordinal;
};

/* A hint for targets that can keep the state there; it does not change how the schedule is
 * followed. */
enum decision_left { LEFT_UNKNOWN, LEFT_NOTHING, LEFT_SOME };

enum follow_how { FOLLOW_STRICT, FOLLOW_RELAXED, FOLLOW_LOOSE };

enum tail_policy {
	TAIL_FIRST,  /* go on with the last actor; else the first enabled by table order */
	TAIL_RANDOM, /* uniform over the enabled */
	TAIL_PCT,    /* priorities with `depth`-1 change points within `steps_estimate` */
	TAIL_POS,    /* a random priority per event, drawn anew on a conflict */
	TAIL_STOP,   /* end the run when the decisions run out */
	TAIL_SURW,   /* by events expected to come (guides: see follow_guide.h) */
	TAIL_RFF,    /* POS, but some steps are postponed (guides) */
	TAIL_LOWEST, /* the first enabled by table order; the end of the run last of all */
};

/* Where a choice is made: before every step, or, as in PULSE, only before steps through which
 * other actors can influence the actor (EVENT_KIND_INWARD). */
enum grain { GRAIN_EVENT, GRAIN_PULSE };

/* A hint to a tail policy about steps to come; follow_guide.h has the meaning for each policy. */
struct guide {
	uint64_t object;
	uint64_t site;   /* of the step; 0: any */
	uint32_t actor;  /* ACTOR_NONE: any */
	uint32_t number;
};

struct schedule {
	const struct decision *decisions;
	uint32_t decisions_len;
	uint32_t sleep_from;
	const struct event *sleepers; /* each as it ran when it was explored */
	uint32_t sleepers_len;
	uint32_t tail; /* enum tail_policy */
	uint32_t depth; /* of PCT */
	uint32_t steps_estimate;
	uint64_t seed;
	const struct guide *guides;
	uint32_t guides_len;
	uint32_t grain;   /* enum grain */
	uint32_t relaxed; /* enum follow_how */
	bool resumes;     /* spinners go on; see above */
	bool is_patient;  /* a sleep of the first actor ends only when no other actor can go on */
	uint32_t repeats; /* a hint: so many first decisions are those of the run that the strategy
	                     asked for before this one */
};

/* The object by which a decision knows the event: its first one, except the clock, which a step
 * also touches if its actor arms a timer afterwards. */
static inline uint64_t decision_object(const struct event *event)
{
	for (uint32_t i = 0; i < event->access_len; i++)
		if (OBJECT_CLASS(event->accesses[i].object) != OBJECT_CLOCK)
			return event->accesses[i].object;
	return 0;
}

/* Fills in the decision that chooses exactly this event. Searches write millions of them, so the members go
 * straight to where they stay: a processor waits where it copies as one word what was stored in parts shortly
 * before. */
static inline void decision_set(struct decision *to, const struct event *event)
{
	uint64_t object = decision_object(event);

	to->actor = event->actor;
	to->ordinal = event->ordinal;
	to->kind = event->kind;
	to->left = LEFT_UNKNOWN;
	to->creates = event->kind == EVENT_SEND ? 0 : event_created(event) + 1;
	to->object = object;
	to->source = to->source_ordinal = 0;
}

/* The same as a value. */
static inline struct decision decision_of(const struct event *event)
{
	struct decision decision;

	decision_set(&decision, event);
	return decision;
}

/* The same, and under a weak memory model the event reads what it read, too. */
static inline struct decision decision_as_ran(const struct event *event)
{
	struct decision decision = decision_of(event);

	if (event->is_weak) {
		decision.source = event->weak.source;
		decision.source_ordinal = event->weak.source_ordinal;
	}
	return decision;
}

/* Does the decision choose this announced event? Its kind and ordinal must match, and its first
 * object unless that varies (EVENT_KIND_VARIES: a step on a table touches other objects if the
 * table does not exist). */
static inline bool decision_matches(const struct decision *decision, const struct event *announced)
{
	if (decision->kind == DECISION_ANY)
		return true;
	if (decision->ordinal != announced->ordinal || decision->kind != announced->kind)
		return false;
	if (event_kind_flags(decision->kind) & EVENT_KIND_VARIES)
		return true;
	return decision->object == decision_object(announced) ||
	       OBJECT_CLASS(decision->object) == OBJECT_CLOCK; /* in older findings */
}

#endif

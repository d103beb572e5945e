/* objects.h: numbers for the things that Erlang processes share, and words for those numbers.
 *
 * A number is the same in every schedule.
 *
 * Processes and mailboxes are named by the pid's value (the place in the spawn tree). Registered
 * names, tables, keys and terms are named by a hash of what the program calls them; the full name
 * is kept beside it and compared, so that two of the same hash are still two objects. Words for
 * reports are made when a name is first seen.
 *
 * Some objects are worth their cost only in programs that can see them. For example: only if some
 * process asks what another process is doing, every step of every process must be an access to
 * "what it is doing". That is learned (objects_learn): the run in which it is first seen ends, and
 * the exploration begins anew with those accesses.
 */
#ifndef BEAM_OBJECTS_H
#define BEAM_OBJECTS_H

#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "core/object.h"
#include "vm/process/boot.h"
#include "vm/vm.h"

/* Facts about the program that make more steps conflict. */
enum objects_learned {
	LEARNED_PROCESSES = 1, /* asks for all processes: starting and ending one matter */
	LEARNED_STEPS = 2,     /* asks what another is doing, or changes it: each step matters */
	LEARNED_TRAPS = 4,     /* begins or ceases to trap exits: normal exits matter */
	LEARNED_CLOCK = 8,     /* timers beside each other: when one is started matters */
	LEARNED_SUSPENDS = 16, /* holds other processes */
	LEARNED_NAMES = 32,    /* gives names to other processes: asking for the own one matters */
	LEARNED_LEADERS = 64,  /* changes another's group leader: asking for the own one matters */
	LEARNED_TIES = 256,    /* asks who is tied to a process: tying matters */
	LEARNED_QUESTIONS = 512, /* asks about others, and waits until its signals have arrived */
	LEARNED_ENDS = 1024,   /* who is watched ends abnormally: ceasing to watch matters */
	LEARNED_LOOKS = 2048,  /* looks at another's messages: taking one out unseen matters */
	LEARNED_DEATHS = 4096, /* asks about one that a signal has ended: finding it matters */
	LEARNED_CODE = 128,    /* changes loaded code: asking about it matters */
	LEARNED_TABLES = 8192, /* asks for all tables: making and losing one without a name matter */
	LEARNED_SYSTEM = 1 << 16, /* a system process touches others when it is woken: waking it matters
				     to everybody; one bit for each (boot_number) */
};

/* The full name behind an object. */
struct object_name {
	uint64_t a, b;
	term key;     /* an immediate, or a copy in words_of_key; TERM_NONE */
	uint32_t sort; /* enum object_sort of objects.c */
	bool is_vague; /* the key has no faithful copy: everything of this hash is the same */
	term *words_of_key; /* owned */
	uint64_t digest;    /* of a large value, which is not kept; or 0 */
	char *text;         /* owned, for reports */
};

struct objects {
	struct map index; /* object -> names */
	VEC(struct object_name) names;
	struct map tables; /* reference of a named table -> object of its name */
	uint32_t learned;  /* bits of enum objects_learned */
	uint32_t values_len; /* values that have a number: object_value */
	bool orders_output; /* --io ordered */
	bool is_async;      /* --delivery async */
	bool stops_timers; /* the end of the test does */
	bool asks_time;    /* in some run: the virtual time is seen */
	bool must_relearn;  /* something has just been learned */
	bool learns_no_more; /* it follows schedules made with what is known */
};

static inline bool objects_know(const struct objects *objects, enum objects_learned what)
{
	return objects->learned & what;
}

/* The bit of a system process. */
static inline enum objects_learned learned_system(term name)
{
	return (enum objects_learned)((uint32_t)LEARNED_SYSTEM << boot_number(name));
}

void objects_learn(struct objects *objects, enum objects_learned what);

static inline uint64_t object_process(term pid) { return OBJECT(OBJECT_ACTOR, pid_value(pid)); }
static inline uint64_t object_mailbox(term pid) { return OBJECT(OBJECT_MAILBOX, pid_value(pid)); }
/* The exit signals a process has got, and whether it traps them. */
static inline uint64_t object_signals(term pid) { return OBJECT(OBJECT_SIGNALS, pid_value(pid)); }
/* The place where a process stands: changes with each of its steps. */
static inline uint64_t object_steps(term pid) { return OBJECT(OBJECT_STEPS, pid_value(pid)); }
/* Held by the processes that suspend it. */
static inline uint64_t object_hold(term pid) { return OBJECT(OBJECT_LOCK, pid_value(pid)); }
/* The links and monitors of a process, and its name. */
static inline uint64_t object_relations(term pid)
{
	return OBJECT(OBJECT_RELATIONS, pid_value(pid));
}
#define OBJECT_ALL_PROCESSES OBJECT(OBJECT_ACTOR, 0)
#define OBJECT_ALL_NAMES OBJECT(OBJECT_NAME, 0)
#define OBJECT_ALL_TABLES OBJECT(OBJECT_TABLE, 0)
#define OBJECT_ALL_TERMS OBJECT(OBJECT_TERM, 0)
#define OBJECT_THE_SYSTEM OBJECT(OBJECT_TERM, 1)
#define OBJECT_ALL_VARIABLES OBJECT(OBJECT_TERM, 2)
#define OBJECT_THE_OUTPUT OBJECT(OBJECT_OUTPUT, 1)
#define OBJECT_THE_CLOCK OBJECT(OBJECT_CLOCK, 1)
#define OBJECT_THE_COUNTER OBJECT(OBJECT_CLOCK, 2)

uint64_t object_name(struct objects *objects, term name);
/* id as the program gave it: a name or a reference. */
uint64_t object_table(struct objects *objects, struct vm *vm, term id);
/* 0: a key that may be the same as others that look different (numbers inside the key of an
 * ordered_set): only the table as a whole tells. */
uint64_t object_key(struct objects *objects, struct vm *vm, term id, term key);
uint64_t object_persistent(struct objects *objects, term key);
uint64_t object_cell(struct objects *objects, term array, term index);
uint64_t object_variable(struct objects *objects, term name);
/* The monitor of a reference; the timer or alias of a reference. */
uint64_t object_monitor(struct objects *objects, uint64_t pid_value, uint64_t counter);
uint64_t object_reference(struct objects *objects, uint64_t pid_value, uint64_t counter);
/* Which name a process has. */
uint64_t object_name_of(struct objects *objects, term pid);
/* The way from one process to another. */
uint64_t object_channel(struct objects *objects, term from, term to);
/* The link between two processes, whether or not it is there. */
uint64_t object_link(struct objects *objects, term one, term other);
/* A number for a value, equal for equal values only; not 0. It depends on the values before it. */
uint32_t object_value(struct objects *objects, term value);

/* Returns false when the object has no words here. */
bool object_words(const struct objects *objects, uint64_t object, struct strbuf *out);
void objects_release(struct objects *objects);

#endif

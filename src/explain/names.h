/* names.h: the names that people use for actors and objects.
 *
 * A thread is called by the name that it was given (pthread_setname_np) or by its start function. A
 * process is called by its registered name, its label or its initial call. Several actors of one
 * name are numbered in the order of their creation:
 *
 *	P1 main   P1.1 teller#1   P1.2 teller#2   P1.2/timer1 teller#2's timer
 *
 * An object on the heap has no name in the debug information. A lock is then called by the
 * expression at the call that first takes it: "q->lock" of `pthread_mutex_lock(&q->lock)`.
 */
#ifndef EXPLAIN_NAMES_H
#define EXPLAIN_NAMES_H

#include "base/arena.h"
#include "target/target.h"

struct name {
	const char *id;    /* "P1.2" */
	const char *alias; /* "<0.85.0>"; or NULL */
	const char *text;  /* "teller#2" */
	uint32_t actor;
	bool is_taken; /* it took a step, waits, accessed memory, ended the run or has a part in the bug: it
			* has a column */
};

struct names {
	struct name *items; /* real actors in the order of creation, then virtual ones */
	uint32_t len;
};

/* Right after the trace was made with call stacks recorded. All strings live in the arena. */
void names_make(struct names *names, struct target *target, const struct trace *trace,
		struct arena *arena);

/* The actor has a column. */
void names_take(struct names *names, uint32_t actor);

/* The text with the names of actors instead of their places in the spawn tree. */
const char *names_replace(const struct names *names, const char *text, struct arena *arena);

#endif

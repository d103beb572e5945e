/* object.h: names of the objects that events touch.
 *
 * A name is one 64-bit number whose upper byte is the class; the rest is chosen by
 * the target so that it means the same in every schedule: never a raw address that
 * moves, never a global counter. For native programs it is an address in a layout
 * that is a function of (actor, its n-th allocation) and, for globals, of the
 * module; for Erlang a hash of (table, key), a mailbox's owner, a name.
 *
 * Only the target that made a name can describe it in words (target.h).
 */
#ifndef CORE_OBJECT_H
#define CORE_OBJECT_H

#include <stdint.h>

enum object_class {
	OBJECT_NONE,
	OBJECT_MEMORY,  /* bytes: atomics and plain variables */
	OBJECT_LOCK,    /* mutex, read-write lock, spin lock, stdio lock */
	OBJECT_COND,
	OBJECT_SEM,
	OBJECT_BARRIER,
	OBJECT_ONCE,
	OBJECT_FUTEX,
	OBJECT_ACTOR,   /* the life of a thread or process */
	OBJECT_CLOCK,
	OBJECT_FD,      /* one end of a pipe, socket pair, eventfd */
	OBJECT_SIGNALS, /* signals pending for an actor or the program */
	OBJECT_MAILBOX,
	OBJECT_NAME,    /* a registered name; 0 is the whole registry */
	OBJECT_TABLE,   /* an ETS table as a whole */
	OBJECT_KEY,     /* one key of one table */
	OBJECT_TERM,    /* persistent terms, atomics, counters, environment */
	OBJECT_OUTPUT,
	OBJECT_DECLARED, /* shared by functions that the user declared to conflict */
	OBJECT_RELATIONS, /* links and monitors of a process */
	OBJECT_STEPS,   /* the state of a process, which changes with each of its steps */
	OBJECT_CLASSES
};

#define OBJECT(class, name) ((uint64_t)(class) << 56 | ((uint64_t)(name) & 0x00ffffffffffffffu))
#define OBJECT_CLASS(object) ((enum object_class)((object) >> 56))
#define OBJECT_NAME_OF(object) ((object) & 0x00ffffffffffffffu)

/* The last bits of the name of a barrier are its round: the barrier itself, or another object as it is. */
static inline uint64_t object_of_all_rounds(uint64_t object)
{
	return OBJECT_CLASS(object) == OBJECT_BARRIER ? object & ~7ul : object;
}

#endif

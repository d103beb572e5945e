/* announce.h: turns the operation that a process is about to do into an event with accesses.
 *
 * The VM stops a process before each visible operation and leaves (effect, arguments) in
 * p->announced; this module makes a struct event of them. An operation that no other process can
 * notice (process_info of oneself, output, reading loaded code) is not an event: announce_step
 * returns false and the process goes on.
 *
 * A step may do less than it announced: a register that fails only reads. When the step is about
 * to be taken, announce_outcome weakens the access modes to those that the state of the machine
 * allows at that moment.
 */
#ifndef BEAM_ANNOUNCE_H
#define BEAM_ANNOUNCE_H

#include "beam/objects.h"
#include "core/actor.h"
#include "core/event.h"

/* The actor of a process, ACTOR_NONE for those that are not explored. */
static inline uint32_t actor_of(const struct process *p)
{
	return p && p->actor ? p->actor - 1 : ACTOR_NONE;
}

/* Fills kind, accesses and site; the caller fills actor, ordinal and the peer of an exit signal.
 * Returns false when no other process can notice the operation. Not for receives: conduct_next.c
 * asks the mailbox. */
bool announce_step(struct objects *objects, struct process *p, struct event *event);
void announce_outcome(struct process *p, struct event *event);

/* Would the exit signal that p is about to send end its receiver, or have ended it just before the
 * receiver ended? has_trapped: a receiver that is gone trapped exits then. */
bool announce_is_lethal(struct process *p, bool has_trapped);

/* The process to which p, which is about to ask or change something, sends a signal and waits for
 * the answer: it may be p itself. TERM_NONE otherwise. */
term announce_asked(const struct process *p);

/* Is p about to go through a table that another process could change meanwhile? On the real machine
 * that takes many steps: what is inserted or deleted meanwhile may be seen or not. */
bool announce_goes_through(struct process *p);

/* Is p about to ask what time it is? */
bool announce_reads_clock(const struct process *p);

/* A receive: mode is ACCESS_RECV or ACCESS_POLL. */
void announce_receive(struct objects *objects, struct process *p, struct event *event,
		      enum access_mode mode);
/* A link or monitor arrives at pid: that matters to the end of pid, and to processes that
 * look at its links and monitors. */
void announce_tie(struct objects *objects, term pid, struct event *event);
/* Beginning to wait with a timeout: the end of the timeout depends on the clock. */
void announce_waiting(struct objects *objects, struct process *p, struct event *event);

/* Adds the accesses that every step of p has where another process could notice steps of p. */
void announce_mark(const struct objects *objects, const struct process *p, struct event *event);

/* Is this a system process, which does its work within the step that wakes it? */
bool announce_is_of_system(struct vm *vm, term pid);
/* The event wakes a system process, which changes its own state. Where such processes have been seen
 * to touch others, the event depends on every other one. The accesses to other objects come first. */
void announce_wakes_system(const struct objects *objects, term name, struct event *event);
/* The name of a system process. */
term announce_system_name(struct vm *vm, term pid);

#endif

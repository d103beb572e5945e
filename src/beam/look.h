/* look.h: the machine between two steps, in words, for a debugger.
 *
 * A run whose schedule ends with TAIL_STOP leaves the machine as it is before the next step:
 *
 *	target->ops->run(target, &schedule, &trace, err);
 *	look_stack(target, actor, &text);
 *
 * Until the next run everything can be looked at. Actors in the texts are called by their place in
 * the spawn tree ("P1.2"), which the caller may replace by names. None of these functions changes
 * the run, except look_eval and look_state: they run code on the machine, so the caller runs the
 * schedule again before it looks at anything else.
 */
#ifndef BEAM_LOOK_H
#define BEAM_LOOK_H

#include "target/target.h"

/* The calls of a process, innermost first, each with its place and the values that it keeps. */
void look_stack(struct target *target, uint32_t actor, struct strbuf *out);

/* The messages that a process has not taken, oldest first, and the one that its receive takes next. */
void look_mailbox(struct target *target, uint32_t actor, struct strbuf *out);

/* Name, status, links, monitors and process dictionary; of a gen_server, gen_statem or gen_event
 * that waits in its loop also its state. */
void look_state(struct target *target, uint32_t actor, struct strbuf *out);

/* Can the actor take its next step, and if it cannot, what does it wait for? */
void look_why(struct target *target, uint32_t actor, struct strbuf *out);

/* All tables of ETS: name, owner, size; or the objects of one table, by its name. False if there is
 * no table of that name. */
void look_tables(struct target *target, struct strbuf *out);
bool look_table(struct target *target, const char *name, struct strbuf *out);

/* The value of an Erlang expression, in a copy of this moment. All other processes stand still,
 * unless the expression sends them a message for which they wait. The next run undoes every effect.
 * pid("P1.2") is the process of an actor. False if the expression fails; `out` then has the reason.
 */
bool look_eval(struct target *target, const char *expression, struct strbuf *out);

#endif

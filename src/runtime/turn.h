/* turn.h: void turns of spin loops (the scheduler's view; see turn.c). */
#ifndef RUNTIME_TURN_H
#define RUNTIME_TURN_H

#include "runtime/rt.h"

/* The actor is about to announce `about`: has it just gone round a loop in which it
 * changed nothing? Then it is parked. */
bool rt_turn_is_void(struct rt_actor *actor, const struct event *about);

/* Is the load that the actor is about to announce one that it takes at once, unrecorded? It is one of
 * many in a loop that counts its turns, and no thread has written the variable since the last step
 * of these. */
bool rt_turn_passes(struct rt_actor *actor, const struct event *about);

/* Has the actor gone round a loop that counts its turns? Returns the event with which the turn began,
 * or UINT32_MAX. */
uint32_t rt_turn_find_counted(struct rt_actor *actor, const struct event *about);

/* Does an access of the event change its object? */
bool rt_turn_is_write(const struct event *event, uint32_t mode);

/* `did` has happened: notes reads and writes for its actor's turn, and wakes the
 * memory of spinners that read what it wrote (spin_woken). */
void rt_turn_took(const struct event *did);

/* A hash of the current actor's registers and stack, as the call that returns to `site`
 * found them; 0 if that call is not found on the stack. */
uint64_t rt_turn_state(const struct rt_actor *self, uint64_t site);

/* Places whose loads wait (await.h) are among those to which threads come back. */
bool rt_turn_awaits(uint64_t site);
void rt_turn_make_await(uint64_t site);

/* No more: the variable alone does not decide whether the thread gets on. */
void rt_turn_never_await(uint64_t site);

/* Lets the actor go on: the clock it polled has moved. */
void rt_turn_release(struct rt_actor *actor);

/* Lets the actor go round once more. It has come to the end of that turn when it is back where it
 * is parked now. */
void rt_turn_probe(struct rt_actor *actor);

/* May a parked actor be chosen, because what it read was written and the schedule resumes spinners
 * or names this actor next (schedule.h)? Its void turn is then like any other turn. */
bool rt_turn_may_resume(const struct rt_actor *actor);
void rt_turn_resume(struct rt_actor *actor);

/* No actor can go on: lets one go on that is parked in a loop that counts its turns. False if
 * there is none. */
bool rt_turn_count_on(void);

#endif

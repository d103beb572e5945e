/* fiber.h: threads without the kernel.
 *
 * A fiber is a saved stack pointer plus the base of a thread control block. The
 * control block (and the stack) come from a donor: a real thread, made and ended
 * beforehand, that left its memory behind. So every fiber has a thread control
 * block that glibc itself laid out, and no private offset of glibc is used here.
 *
 * Donors belong to actor indices, so that an actor's stack and thread-local
 * variables are at the same addresses in every run. They can only be made while no
 * run is under way (server.c); a run that needs one more ends with channel->again.
 */
#ifndef RUNTIME_FIBER_H
#define RUNTIME_FIBER_H

#include "runtime/rt.h"

/* Makes the donor of an actor. Fails only if the system has no more threads. */
bool rt_fiber_make_donor(struct fiber_donor *donor, uint32_t index);

/* Prepares the actor's fiber so that a switch to it calls entry(), never to return. */
void rt_fiber_prepare(struct rt_actor *actor, const struct fiber_donor *donor, void (*entry)(void));

/* Leaves `from` (whose context is saved) and continues `to`. */
void rt_fiber_switch(struct rt_actor *from, struct rt_actor *to);

/* Saves the context of the running fiber, so that it can also be continued from here, and calls the
 * function on a stack of its own. The stack of the fiber must look as if this function had not been
 * called. */
void rt_fiber_keep(struct rt_actor *self, void (*then)(void), void *stack_end);

/* Continues `to`; the caller's context is lost. */
_Noreturn void rt_fiber_jump(struct rt_actor *to);

/* The thread control block of the caller. */
uint64_t rt_fiber_fs_base(void);

#endif

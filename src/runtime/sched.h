/* sched.h: functions that the files around the scheduler share. */
#ifndef RUNTIME_SCHED_H
#define RUNTIME_SCHED_H

#include "runtime/rt.h"

/* stack.c: call stacks for reports, walked along the frame pointers. */
uint32_t rt_stack_context(const struct rt_actor *actor, uint64_t site); /* for event.context */
void rt_stack_note(struct rt_actor *actor, uint64_t site);              /* at the announcement */
/* The stack pointer of the function that called the runtime from `site`, where it has stopped: frames of
 * functions that have returned are below. NULL: not known. */
const char *rt_stack_of_program(const struct rt_actor *actor, uint64_t site);
void rt_stack_keep_announced(const struct rt_actor *actor, uint32_t key); /* into the channel */

/* thread.c: the way a thread ends: destructors, then rt_thread_finish. */
_Noreturn void rt_thread_exit(void *result);

/* limit.c: finds the waits that the last event has made possible after they were withdrawn, and calls
 * rt_withdraw_late for each. */
void rt_wait_note_opened(void);
void rt_withdraw_late(struct rt_actor *actor);

/* Is the actor to be asked before each decision whether it can go on? If not: can it always? */
static inline void rt_ask(uint32_t index, bool is_asked, bool is_ready)
{
	bitset_put(RT->asked, index, is_asked);
	bitset_put(RT->ready, index, is_ready && !is_asked);
}

#endif

/* memory.h: plain memory accesses, between the hooks and the scheduler.
 *
 * The compiler calls a hook before every access that could be to shared memory.
 * Most of these accesses cannot matter to another thread and are forgotten at once:
 * those to an actor's own stack, and those that repeat an access with no step in
 * between. The rest is recorded for the race detector. Only accesses to memory that is
 * known to race (the table of facts in the channel) become visible steps. As long as
 * nothing races, the order of plain accesses is given by the synchronisation around
 * them, so they need no decisions. Every run is checked for races.
 */
#ifndef RUNTIME_MEMORY_H
#define RUNTIME_MEMORY_H

#include "runtime/history.h"
#include "runtime/rt.h"

enum { RT_ACCESS_MAX = 16 }; /* bytes of one visible step */

/* Is the address in the actor's stack or its thread-local variables? */
static inline bool rt_stack_has(const struct rt_actor *actor, const void *address)
{
	const char *at = address;

	return (at >= actor->stack_low && at < actor->stack_high) ||
	       (at >= actor->tls_low && at < actor->tls_high);
}

/* Where the frames of the actor's stack end and other things of its begin. */
const char *rt_stack_base(const struct rt_actor *actor);

/* For accesses that are steps anyway: is the block freed, is it another's stack? */
void rt_mem_check(const void *address, size_t size, bool is_write, uint64_t site);

/* Notes an access for the race detector: `act` is plain.is_write (core/trace.h). */
void rt_mem_record(const void *address, size_t size, uint32_t act, uint64_t site);

/* The thread ends and its functions have been left, by a return or by unwinding: for the race detector their
 * frames are freed, as far as others were seen in them. Destructors of keys may still run, on the same stack. */
void rt_mem_leave_all(struct rt_actor *self, uint64_t site);

/* The thread has ended. For the race detector its stack is freed with the thread-local variables, as far as others
 * were seen in them. The first thread's is not: it stays until the process ends, with the arguments of main. */
void rt_mem_end_stack(const struct rt_actor *self, uint64_t site);

/* Before a step of a thread in whose stack others were seen: for the race detector the frames of functions
 * that have returned since are freed, as far as others were seen in them. */
void rt_mem_end_frames(struct rt_actor *self, uint64_t site);

/* The same at a place where everything below `sp` has been left: main has returned. */
void rt_mem_end_frames_below(struct rt_actor *self, const char *sp, uint64_t site);

/* Is the address in the current actor's own stack, in which no other actor was ever seen? */
static inline bool rt_mem_is_private(const void *address)
{
	const struct rt_actor *self = rt_self();

	return rt_stack_has(self, address) && !RT->channel->stack_shared[self->index];
}

/* silent_loop.c: called when a stretch without a step gets long; an endless loop of plain
 * reads ends the run, after what it reads has become visible. */
void rt_look_for_loop(struct rt_actor *self, const void *address, size_t size, bool is_write,
	      uint64_t site);

/* The current actor has made its last write: was another value there before? A turn of a loop that
 * writes only what is there already has changed nothing. */
void rt_mem_settle_write(void);

static inline void rt_mem_settle(void)
{
	if (RT->memory.written_size)
		rt_mem_settle_write();
	if (RT->history.unsettled)
		rt_history_settle();
}

#endif

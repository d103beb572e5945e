/* history.h: the writes that loads may still read, under a weak memory model.
 *
 * Under --memory tso or rc11 a load need not read the newest write. For each atomic variable the
 * runtime keeps all writes of the run in modification order, and the memory itself always holds
 * the last of them. A decision of the schedule (decision.source) names the write that a load or an
 * update reads, or the write after which a store comes in modification order. Without such a
 * decision it is the last write, so a run without decisions is sequentially consistent. The runtime
 * does not check the result: the tool decides whether the memory model allows it (src/weak).
 *
 *     T1: x = 1 (place: after the initial value); x = 2        modification order 0 1 2
 *     T2: r = x, source (T1, 0)                                reads 1 though memory holds 2
 *
 * Plain accesses need no choice. If no data race is in the run, every write that exists is ordered
 * before a plain read and the read sees the last one, which is in memory. A plain write to a
 * variable that has a history is a step of its own and comes last in modification order.
 *
 * Where a race is known and the search goes on (--ignore race), plain accesses are steps with choices
 * like relaxed atomics. The program itself makes the access, after the hook: until its next step
 * the memory holds the old value that it shall read.
 *
 * The lists belong to one run; RT->runs distinguishes the entries of one run from those of another.
 */
#ifndef RUNTIME_HISTORY_H
#define RUNTIME_HISTORY_H

#include "runtime/rt.h"

/* Was a weak memory model asked for, or --equivalence rf? The latter only until it is given up. */
static inline bool rt_history_is_asked(void)
{
	return memory_is_weak(RT->channel->options.memory) ||
	       (RT->channel->options.memory == MEMORY_RF && RT->channel->weaker);
}

/* With --equivalence rf: the run does something that this relation does not cover. The exploration begins
 * anew with the plain relation. Returns if it was not asked for. */
void rt_history_retreat(const char *what);

/* With --equivalence rf: a plain access is about to read atomic variables. The value is the last one that was
 * written, and of the writes of two threads the relation does not say which that is. */
void rt_history_plain_read(const void *address, size_t size);

/* Are old values kept? As long as all atomics are seq_cst, each load reads the last one. The first weaker
 * atomic makes the target begin anew (atomic.c). */
static inline bool rt_history_on(void)
{
	return rt_history_is_asked() && RT->channel->weaker;
}

/* A step needs old values: an atomic weaker than seq_cst, or a plain access that races and runs as one.
 * Does not return if the target has to begin anew. */
static inline void rt_history_need(void)
{
	if (!rt_history_is_asked() || RT->channel->weaker)
		return;
	RT->channel->weaker = 1;
	rt_relearn();
}

/* Does the tool search execution graphs, and not take samples? Then a step that waits for an object
 * (a mutex, the end of an initialisation) is an update like any other, always possible (`can` is
 * NULL, EVENT_TRY is set). If it finds the object taken it calls rt_history_stay: the thread waits
 * for the rest of the run, and the tool knows a run in which the step comes later. */
static inline bool rt_history_in_graphs(void)
{
	return rt_running_quietly() && rt_history_on() && !RT->channel->options.samples;
}

/* The step is on an object of a graph (src/weak/object.h): it has room for the value it finds. */
static inline void rt_history_object(struct event *event)
{
	event->is_weak = rt_running_quietly() && rt_history_on();
}

/* The same for a step that waits if it does not go on. Returns whether the caller must call
 * rt_history_stay instead of waiting. */
static inline bool rt_history_tries(struct event *event)
{
	rt_history_object(event);
	if (rt_history_in_graphs())
		event->flags |= EVENT_TRY;
	return rt_history_in_graphs();
}

/* The step was chosen and finds the object with this value. */
static inline void rt_history_found(struct event *did, uint32_t value)
{
	if (did->is_weak)
		did->weak.written = value;
}

/* Values of a lock, which else are the number of readers, and of an initialisation. */
enum { RT_LOCK_FREE = 0, RT_LOCK_HELD = 0xffffffff };
enum { RT_ONCE_FRESH, RT_ONCE_RUNNING, RT_ONCE_DONE };

/* The step is a try. Shall it fail because it reads an old value of the object? Names that value in
 * `did`, so it must be asked also if the try fails anyway. */
bool rt_history_is_old(struct event *did);

_Noreturn void rt_history_stay(const struct event *event, struct event *did);

/* The step `did` on an atomic variable was chosen: finds the write it reads (or comes after), and
 * names it in `did`. Returns the place of that write's value. */
const void *rt_history_choose(struct event *did, const volatile void *address, size_t size);

/* The values that a load may read, in modification order; NULL after the last. */
const struct rt_write *rt_history_first(const volatile void *address, size_t size);

static inline const struct rt_write *rt_history_next(const struct rt_write *write)
{
	return write->next ? &RT->history.writes[write->next] : NULL;
}

/* The step writes: the new write comes after the one that rt_history_choose found. */
void rt_history_write(struct event *did, volatile void *address, const void *value, size_t size);

/* The step is a compare-and-swap that expects this value. */
void rt_history_expect(struct event *did, const void *expected, size_t size);

/* A plain write is about to happen: takes a step for each variable in it that has a history. */
void rt_history_plain_write(const void *address, size_t size, uint64_t site);

/* A plain access to memory with a known race, of at most 16 bytes, is about to happen. */
void rt_history_plain(const void *address, size_t size, bool is_write, uint64_t site);

/* Such an access has happened: puts the last value into memory again. */
void rt_history_settle(void);

/* Keeps the lists before a decision. False: they are too long. */
bool rt_history_keep(struct rt_history_kept *kept);
/* This run goes on from there. */
void rt_history_back(const struct rt_history_kept *kept);

/* The first of these words that has bytes of a variable with a history, or NULL. */
const uint64_t *rt_history_find(const uint64_t *words, const uint64_t *end);

/* Was one of the values that the actor's void turn read overwritten? Writes of void turns do not
 * count, because they leave the value as it was. */
bool rt_history_is_stale(const struct rt_actor *actor);

#endif

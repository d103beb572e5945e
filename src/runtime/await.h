/* await.h: loads that wait.
 *
 * A loop that does nothing but look at one variable (`while (!atomic_load(&ready));`) is
 * a wait, and most spin loops are. When a void turn (turn.h) consisted of a single load,
 * loads at that place become waits: such a load can only be chosen when the value it would
 * see lets the thread get on. Then no runs are spent on looks in vain, and dpor knows that
 * the write which lets it on cannot be moved behind it.
 *
 * Does a value let the thread get on? A trial that is not recorded answers that: the thread runs
 * on with the value in the variable. If it comes back to the same place in the same state and has
 * written nothing, the value does not let it on, and the trial has changed nothing. Otherwise the
 * run is made once more, with the answer known. The answers are kept by place, state of the thread
 * and value, for all runs.
 *
 * Which write does a load that waited race with? With the last write before which the value would
 * have let the thread on, too; the load's event names that write as its feeder. So the values
 * before each write to an awaited variable are noted in every run.
 *
 * In a search of graphs (history.h) a load that waits stays possible, because an old value may let
 * the thread on. But as long as the last value does not, the load is postponed until no other
 * thread can go on, and its event names the values that would be looked at in vain: the tool does
 * not try those.
 */
#ifndef RUNTIME_AWAIT_H
#define RUNTIME_AWAIT_H

#include "runtime/rt.h"

/* Do loads at this place wait? */
bool rt_await_is(uint64_t site);

/* Does the program have a load that waits? If not, the scheduler need not ask before each step. */
static inline bool rt_await_has_any(void)
{
	return RT->channel->awaited_len || RT->late_len;
}

/* The load's step. Returns its event, or a scratch one when it is only tried. */
struct event *rt_await_step(struct event *event, const volatile void *address, size_t size);

/* The actors whose load has to come later, because it would look in vain: a set of so many words. NULL if
 * there are none. (Not on the stack of a thread, whose pages are put back after each run.) */
const uint64_t *rt_await_find_late(uint32_t words);

/* The load has happened: names the values that let the thread on. */
void rt_await_match(struct event *did);

/* The turn that ended with another look at `site` was void. If it was one load, it waits
 * from now on, and the exploration begins anew. */
void rt_await_learn(const struct rt_actor *actor, uint32_t from);

/* An actor whose load must be tried before the next decision, or NULL. */
struct rt_actor *rt_await_unsure(void);

/* The actor that is being tried is about to announce this; does not return if it got on. */
void rt_await_came_back(struct rt_actor *self, const struct event *event);

/* The actor that is being tried does something else than a step. */
void rt_await_got_on(void);

/* `did` is about to happen: keeps the values it may change. */
void rt_await_before(const struct event *did);

/* Names the write with which the actor's load races; for its event, also if it never ran. */
void rt_await_name_race(const struct rt_actor *actor, struct event *event);

#endif

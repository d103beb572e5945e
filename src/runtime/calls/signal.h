/* signal.h: the signals that wait for a thread, as the files see them that send signals
 * (signal_send.c), take them beside other steps (signal.c) and wait for them (signal_wait.c).
 *
 * A signal is pending for one thread or for the process: two sets. Each signal of a set is an object
 * of its own, which a thread looks at only if it would take that signal. So a signal that was
 * pending before another one of its number came is known to have been open (EVENT_WAS_OPEN),
 * whichever thread waits for it later. Which signals are ever sent is learned (channel:
 * signals_sent, signals_to_all). An event has room for two of them. If there are more, a set is one
 * object, at which every step looks. A thread that blocks the signals of the set would then seem to
 * have found none, so the verdict names such a program. */
#ifndef RUNTIME_CALLS_SIGNAL_H
#define RUNTIME_CALLS_SIGNAL_H

#include <signal.h>

#include "runtime/rt.h"

enum { RT_SIGNALS_MAX = 64, RT_SIGNALS_PROCESS = RT_MAX_ACTORS };

static inline uint64_t rt_signal_bit(int number)
{
	return (uint64_t)1 << (number - 1);
}

/* The kernel's part of a sigset_t. */
static inline uint64_t rt_signals_of(const sigset_t *set)
{
	return *(const uint64_t *)set;
}

static inline uint64_t rt_signals_pending(const struct rt_actor *actor)
{
	return actor->signals | RT->main->process_signals;
}

/* Is it a thread that runs, and not a virtual actor? */
static inline bool rt_signals_can_meet(const struct rt_actor *actor)
{
	return actor->state != RT_FREE && actor->state != RT_FINISHED && !actor->owner;
}

/* Is each signal of a set an object of its own? */
static inline bool rt_signals_are_apart(void)
{
	return __builtin_popcountll(RT->channel->signals_sent) +
		       __builtin_popcountll(RT->channel->signals_to_all) <=
	       2;
}

/* The object of a signal in a set; whose: the index of a thread, or RT_SIGNALS_PROCESS. */
static inline uint64_t rt_signals_object(uint32_t whose, int number)
{
	uint64_t apart = rt_signals_are_apart() ? (uint64_t)number * 8 * RT_MAX_ACTORS : 0;

	return OBJECT(OBJECT_SIGNALS, apart + whose + 1 + RT_MAX_ACTORS);
}

bool rt_signal_is_ignored(int number, const struct sigaction *action);

/* A step that also looks for signals: it is possible if one of the set is pending, or if `can` says
 * so (NULL: always). */
struct rt_look {
	rt_can *can;
	void *thing;
	uint64_t set; /* signals that would be taken */
};

/* Before the step: adds the objects of the signals that it looks at. How many these are:
 * rt_signals_count. */
void rt_signals_add(struct event *event, uint64_t set, enum access_mode mode);
uint32_t rt_signals_count(uint64_t set);
struct event *rt_signals_look(const struct event *event, struct rt_look *look);
/* After the step: takes a signal of the set and returns its number, or 0 if none is there. The
 * accesses from `from` on are those that rt_signals_add has added; if a signal was taken, the step
 * has done nothing to the objects of the accesses before them. */
int rt_signals_take(struct event *did, const struct rt_look *look, uint8_t from);

/* Does what the program has asked to be done with the signal, on the stack of the current thread. */
void rt_signal_handle(int number, uint64_t site);
/* Before a jump: one out of a handler ends the handler. Which mask is in force then is known to the
 * buffer of the jump only; taken is that from before the first handler, and the jump is named. */
void rt_signal_jump(uint64_t site);
/* Ends the run as a signal does that is not handled. */
void rt_signal_die(int number, uint64_t site);
/* Stopping the program is not modelled: control is lost. */
void rt_signal_refuse_stop(int number);

/* Was the signal of that number, which is sent now, pending already for the thread that
 * takes it? */
bool rt_signals_were_open(uint64_t pending, uint32_t whose, int number);

#endif

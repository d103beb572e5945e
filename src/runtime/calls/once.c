/* once.c: pthread_once, call_once. The control word is 0, RUNNING or DONE, as in glibc;
 * what was done while other threads existed has DURING_RUN added.
 * Compiled with -fexceptions: a routine that is left by an exception, by pthread_exit
 * or by cancellation has not run, and the next caller runs it. */
#include "runtime/calls/sync.h"

#include "runtime/history.h"
#include "runtime/intercept.h"

enum { FRESH = 0, RUNNING = 1, DONE = 2, STATE_MASK = 3, DURING_RUN = 4 };

struct once {
	int *control;
	uint64_t site;
	bool returned;
};

static int state_of(const int *control)
{
	return *control & STATE_MASK;
}

static uint32_t value_of(const int *control)
{
	return state_of(control) == FRESH  ? RT_ONCE_FRESH
	       : state_of(control) == DONE ? RT_ONCE_DONE
					   : RT_ONCE_RUNNING;
}

static bool can_pass(struct rt_actor *actor, void *control)
{
	return state_of(control) != RUNNING;
}

static void finish(struct once *once)
{
	struct event event = rt_event(EVENT_ONCE_DONE, once->site);

	rt_access(&event, OBJECT_ONCE, once->control, ACCESS_RELEASE);
	if (!once->returned)
		event.flags |= EVENT_FAILED;
	rt_history_object(&event);
	rt_history_found(rt_step(&event, NULL, NULL), RT_ONCE_RUNNING);
	if (!once->returned)
		*once->control = FRESH;
	else
		*once->control = rt_running() ? DONE | DURING_RUN : DONE;
}

static void run_routine(int *control, void (*routine)(void), uint64_t site)
{
	__attribute__((cleanup(finish))) struct once once = {control, site, false};

	routine();
	once.returned = true;
}

int rt_once(int *control, void (*routine)(void), uint64_t site)
{
	struct event event = rt_event(EVENT_ONCE, site);
	struct event *did;

	if (*control == DONE) /* before there were threads */
		return 0;
	/* Elsewhere in a run the same call may come first. */
	rt_access(&event, OBJECT_ONCE, control, ACCESS_ACQUIRE);
	did = rt_step(&event, rt_history_tries(&event) ? NULL : can_pass, control);
	rt_history_found(did, value_of(control));
	if (state_of(control) == RUNNING)
		rt_history_stay(&event, did);
	if (state_of(control) == DONE) { /* and stays so: the order of those who see it is free */
		did->accesses[0].mode = ACCESS_SHARE;
		return 0;
	}
	*control = RUNNING;
	run_routine(control, routine, site);
	return 0;
}

INTERCEPT(int, pthread_once, (pthread_once_t *control, void (*routine)(void)))
{
	if (!rt_active())
		return REAL(pthread_once)(control, routine);
	return rt_once(control, routine, RT_SITE);
}

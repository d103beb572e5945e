/* guard.c: guards of C++ variables that are initialised at first use.
 *
 * The compiler looks at the first byte of the guard itself (an atomic load, which is
 * a step) and calls here only if it is 0. In the libraries these functions work with
 * uninstrumented atomics, so they are modelled like pthread_once: the second byte says
 * that a thread is initialising the variable. */
#include "runtime/calls/sync.h"

#include <sched.h>

#include "runtime/history.h"
#include "runtime/intercept.h"

struct guard {
	uint8_t done;
	uint8_t busy;
	uint8_t spare[6];
};

int __cxa_guard_acquire(struct guard *guard);
void __cxa_guard_release(struct guard *guard);
void __cxa_guard_abort(struct guard *guard);
void __tsan_atomic8_store(volatile uint8_t *, uint8_t, int);

static bool can_enter(struct rt_actor *actor, void *thing)
{
	return !((struct guard *)thing)->busy;
}

static int acquire(struct guard *guard, uint64_t site)
{
	struct event event = rt_event(EVENT_ONCE, site);
	struct event *did;

	rt_access(&event, OBJECT_ONCE, guard, ACCESS_ACQUIRE);
	did = rt_step(&event, rt_history_tries(&event) ? NULL : can_enter, guard);
	rt_history_found(did, guard->busy ? RT_ONCE_RUNNING
				      : guard->done ? RT_ONCE_DONE : RT_ONCE_FRESH);
	if (guard->busy)
		rt_history_stay(&event, did);
	if (guard->done) {
		did->accesses[0].mode = ACCESS_SHARE;
		return 0;
	}
	guard->busy = 1;
	return 1;
}

static void release(struct guard *guard, bool done, uint64_t site)
{
	struct event event = rt_event(EVENT_ONCE_DONE, site);

	if (done)
		__tsan_atomic8_store(&guard->done, 1, __ATOMIC_RELEASE);
	else
		event.flags |= EVENT_FAILED;
	rt_access(&event, OBJECT_ONCE, guard, ACCESS_RELEASE);
	rt_history_object(&event);
	rt_history_found(rt_step(&event, NULL, NULL), RT_ONCE_RUNNING);
	guard->busy = 0;
}

/* A static link without the library's own functions, run outside fermata. */
static int acquire_ourselves(struct guard *guard)
{
	for (;;) {
		if (__atomic_load_n(&guard->done, __ATOMIC_ACQUIRE))
			return 0;
		if (!__atomic_exchange_n(&guard->busy, 1, __ATOMIC_ACQUIRE)) {
			if (!__atomic_load_n(&guard->done, __ATOMIC_ACQUIRE))
				return 1;
			__atomic_store_n(&guard->busy, 0, __ATOMIC_RELEASE);
			return 0;
		}
		sched_yield();
	}
}

static void release_ourselves(struct guard *guard, bool done)
{
	if (done)
		__atomic_store_n(&guard->done, 1, __ATOMIC_RELEASE);
	__atomic_store_n(&guard->busy, 0, __ATOMIC_RELEASE);
}

INTERCEPT_OPTIONAL(int, __cxa_guard_acquire, (struct guard *guard))
{
	if (rt_active())
		return acquire(guard, RT_SITE);
	return REAL(__cxa_guard_acquire) ? REAL(__cxa_guard_acquire)(guard)
					 : acquire_ourselves(guard);
}

INTERCEPT_OPTIONAL(void, __cxa_guard_release, (struct guard *guard))
{
	if (rt_active())
		release(guard, true, RT_SITE);
	else if (REAL(__cxa_guard_release))
		REAL(__cxa_guard_release)(guard);
	else
		release_ourselves(guard, true);
}

INTERCEPT_OPTIONAL(void, __cxa_guard_abort, (struct guard *guard))
{
	if (rt_active())
		release(guard, false, RT_SITE);
	else if (REAL(__cxa_guard_abort))
		REAL(__cxa_guard_abort)(guard);
	else
		release_ourselves(guard, false);
}

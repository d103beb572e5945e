/* atomic_wait.c: std::atomic::wait and notify of libstdc++ 16 and later.
 *
 * Four functions of the library wait and notify. They look at the atomic object in code without
 * hooks, so their places are taken here. Up to version 15 they are templates of the headers and
 * reach futex.c by syscall().
 *
 * A wait for an object of four bytes is a futex wait on the object. For an object of another size
 * the library has a counter that belongs to the object's address: a notification adds one to the
 * counter, and a wait is a futex wait on the counter. The library is still asked for the counter
 * of an address. Two optimisations of the library are left out: it spins before it sleeps, and it
 * does not notify if no thread waits.
 *
 * A futex wait returns no value, because the caller then loads the value itself with the memory
 * order that the program asked for, and that load is a step like any other. */
#include "runtime/calls/sync.h"

#include "runtime/atomic.h"
#include "runtime/history.h"
#include "runtime/intercept.h"

enum { SPIN_ONLY = 4 | 8, RELAXED = 0 };

/* std::__detail::__wait_args_base, version 0. */
struct wait_args {
	uint32_t flags;
	int order;
	uint64_t old;
	void *state;
	const uint32_t *object; /* the object itself, or its counter */
	uint8_t object_size;
};

/* std::__detail::__wait_result_type */
struct wait_result {
	uint64_t value;
	uint8_t has_value : 1, timed_out : 1, unused : 6;
};

#define SETUP _ZNSt8__detail11__wait_args19_M_setup_proxy_waitEPKv
#define WAIT _ZNSt8__detail11__wait_implEPKvRNS_16__wait_args_baseE
#define NOTIFY _ZNSt8__detail13__notify_implEPKvbRKNS_16__wait_args_baseE
#define WAIT_UNTIL \
	_ZNSt8__detail17__wait_until_implEPKvRNS_16__wait_args_baseERKNSt6chrono8durationIlSt5ratioILl1ELl1000000000EEEE

bool SETUP(struct wait_args *args, const void *address);
struct wait_result WAIT(const void *address, struct wait_args *args);
struct wait_result WAIT_UNTIL(const void *address, struct wait_args *args, const int64_t *at_ns);
void NOTIFY(const void *address, bool all, const struct wait_args *args);

/* These expand the short names above before INTERCEPT_OPTIONAL and REAL make others of them. */
#define INTERCEPT_BY(ret, name, params) INTERCEPT_OPTIONAL(ret, name, params)
#define REAL_BY(name) REAL(name)

static void count_notification(uint32_t *counter, uint64_t site)
{
	struct rt_atomic op;
	uint32_t old, now;

	rt_atomic_begin(&op, EVENT_RMW, counter, sizeof(*counter), RELAXED, site);
	old = op.seen ? *(const uint32_t *)op.seen : *counter;
	now = old + 1;
	if (op.seen)
		rt_history_write(op.did, counter, &now, sizeof(now));
	else
		*counter = now;
	rt_atomic_end(&op, old, true);
}

/* A wait of no time at all only looks. */
static struct wait_result look(const struct wait_args *args, uint64_t site)
{
	uint32_t value = rt_futex_load(args->object, args->order, site);

	return (struct wait_result){.value = value, .has_value = 1,
				    .timed_out = value == (uint32_t)args->old};
}

static struct wait_result wait_for_change(const struct wait_args *args,
					  const uint64_t *deadline_ns, uint64_t site)
{
	bool timed_out;

	if ((args->flags & SPIN_ONLY) == SPIN_ONLY)
		return look(args, site);
	timed_out = !rt_futex_wait(args->object, (uint32_t)args->old, deadline_ns, site);
	return (struct wait_result){.value = args->old, .timed_out = timed_out};
}

/* True: a counter stands for the object, and its present value is in args->old. */
INTERCEPT_BY(bool, SETUP, (struct wait_args *args, const void *address))
{
	bool is_counter = REAL_BY(SETUP)(args, address);

	if (rt_active() && (is_counter || !address))
		args->old = rt_futex_load(args->object, RELAXED, RT_SITE);
	return is_counter;
}

INTERCEPT_BY(struct wait_result, WAIT, (const void *address, struct wait_args *args))
{
	if (!rt_active())
		return REAL_BY(WAIT)(address, args);
	return wait_for_change(args, NULL, RT_SITE);
}

/* `at_ns` is a time of the steady clock. */
INTERCEPT_BY(struct wait_result, WAIT_UNTIL,
		   (const void *address, struct wait_args *args, const int64_t *at_ns))
{
	struct timespec at = {.tv_sec = *at_ns / 1000000000, .tv_nsec = *at_ns % 1000000000};
	uint64_t deadline_ns;

	if (!rt_active())
		return REAL_BY(WAIT_UNTIL)(address, args, at_ns);
	if (!rt_deadline(CLOCK_MONOTONIC, &at, &deadline_ns))
		return (struct wait_result){.value = args->old, .timed_out = 1};
	return wait_for_change(args, &deadline_ns, RT_SITE);
}

INTERCEPT_BY(void, NOTIFY, (const void *address, bool all, const struct wait_args *args))
{
	struct wait_args copy = *args;
	const uint32_t *word = address;

	if (!rt_active()) {
		REAL_BY(NOTIFY)(address, all, args);
		return;
	}
	if (REAL_BY(SETUP)(&copy, address)) {
		word = copy.object;
		all = true; /* other objects have the same counter */
		count_notification((uint32_t *)word, RT_SITE);
	}
	rt_futex_wake(word, all ? INT32_MAX : 1, RT_SITE);
}

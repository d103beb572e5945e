/* futex.c: futexes, which std::atomic::wait, futures and others reach through
 * syscall(). FUTEX_WAIT looks at the word and enters the waiting set in one step;
 * FUTEX_BLOCK leaves the set.
 *
 * With a bit set only waiters that share a bit are woken, and FUTEX_REQUEUE moves waiters to
 * another futex. Tokens (wait.c) cannot tell waiters apart: a wake-up that fits some waiters and
 * not others, or a requeue that wakes some and moves others, is named as not modelled.
 *
 * In a search of graphs (history.h) a wait is split: the thread enters the set, then loads the
 * word, then leaves the set because the word has changed (a FUTEX_WAIT that failed), or blocks. The
 * kernel promises that this load sees every store that came before an earlier wake-up of the same
 * futex; src/weak/graph.c holds the load to that promise. */
#include "runtime/calls/sync.h"

#include <linux/futex.h>
#include <stdlib.h>

#include "runtime/atomic.h"
#include "runtime/history.h"
#include "runtime/intercept.h"

static const uint32_t ALL_BITS = ~0u;

enum {
	RELAXED = 0,
	MANY = 64, /* a wake-up of so many threads wakes all: weak/object.c knows no more threads */
};

/* Waiters of FUTEX_WAIT are not found by FUTEX_WAKE_PRIVATE, nor the other way round: the kernel has
 * two futexes for the word. `op` has FUTEX_PRIVATE_FLAG or not. */
static uint64_t futex_object(const uint32_t *word, int op)
{
	return OBJECT(OBJECT_FUTEX, rt_name(word) + !(op & FUTEX_PRIVATE_FLAG));
}

static bool can_unblock(struct rt_actor *actor, void *thing)
{
	return !actor->waiting_on || rt_wait_has_token(actor);
}

static uint32_t load(const uint32_t *word, int order, uint8_t flags, uint64_t site)
{
	struct rt_atomic op;
	uint32_t value;

	rt_atomic_begin(&op, EVENT_LOAD, word, sizeof(*word), order, site);
	if (op.did)
		op.did->flags |= flags;
	value = op.seen ? *(const uint32_t *)op.seen : *word;
	rt_atomic_end(&op, value, false);
	return value;
}

uint32_t rt_futex_load(const uint32_t *word, int order, uint64_t site)
{
	return load(word, order, 0, site);
}

/* Looks and enters; false if the word has changed. */
static bool enter(const uint32_t *word, uint64_t object, uint32_t expected, uint32_t bits,
		  uint64_t site)
{
	struct event event = rt_event(EVENT_FUTEX_WAIT, site);
	uint8_t reads;
	struct event *did;

	rt_mem_access(&event, word, sizeof(*word), ACCESS_READ);
	reads = event.access_len < EVENT_ACCESSES ? event.access_len : EVENT_ACCESSES - 1;
	event.access_len = reads;
	rt_access_object(&event, object, ACCESS_ENTER);
	did = rt_step(&event, NULL, NULL);
	did->value = *word;
	if (*word != expected) {
		did->flags |= EVENT_FAILED;
		did->accesses[reads].mode = ACCESS_READ; /* which means nothing to a waiting set */
		return false;
	}
	rt_wait_enter(rt_self(), object);
	rt_self()->wait_bits = bits;
	return true;
}

static long block(uint64_t object, const uint64_t *deadline_ns, uint64_t site)
{
	struct rt_actor *self = rt_self();
	struct event event = rt_event(EVENT_FUTEX_BLOCK, site);
	struct event *did;

	if (deadline_ns)
		rt_timer_arm(self, *deadline_ns, object, rt_wait_expire);
	rt_spurious_offer(object, rt_wait_expire);
	rt_access_object(&event, object, ACCESS_LEAVE);
	did = rt_step(&event, can_unblock, NULL);
	rt_spurious_stop();
	if (deadline_ns)
		rt_timer_disarm(self);
	if (self->waiting_on) {
		rt_wait_leave(self);
		return 0;
	}
	if (self->woken)
		return 0;
	did->flags |= EVENT_FAILED;
	return rt_fail(ETIMEDOUT);
}

/* ---- in a search of graphs ---- */

static bool waits_in_graphs(const uint64_t *deadline_ns, uint32_t bits)
{
	return !deadline_ns && bits == ALL_BITS && rt_history_in_graphs() &&
	       !RT->channel->options.spurious;
}

static struct event *change_set(enum event_kind kind, uint64_t object, enum access_mode mode,
				uint64_t site)
{
	struct event event = rt_event(kind, site);

	rt_access_object(&event, object, mode);
	rt_history_object(&event);
	return rt_step(&event, NULL, NULL);
}

static long wait_in_graphs(const uint32_t *word, uint64_t object, uint32_t expected, uint64_t site)
{
	struct rt_actor *self = rt_self();
	struct event event = rt_event(EVENT_FUTEX_BLOCK, site);
	struct event *did;

	change_set(EVENT_FUTEX_WAIT, object, ACCESS_ENTER, site);
	rt_wait_enter(self, object);
	self->wait_bits = ALL_BITS;
	if (load(word, RELAXED, EVENT_BY_KERNEL, site) != expected) {
		did = change_set(EVENT_FUTEX_WAIT, object, ACCESS_LEAVE, site);
		did->flags |= EVENT_FAILED;
		rt_wait_abandon(self);
		return rt_fail(EAGAIN);
	}
	rt_spurious_offer(object, rt_wait_expire); /* notes that none are tried */
	rt_access_object(&event, object, ACCESS_LEAVE);
	rt_history_tries(&event);
	did = rt_step(&event, NULL, NULL);
	if (!rt_wait_has_token(self))
		rt_history_stay(&event, did);
	rt_wait_leave(self);
	return 0;
}

/* ---- the calls ---- */

static bool read_deadline(int op, const struct timespec *timeout, uint64_t *deadline_ns)
{
	int clock = op & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;

	if ((op & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET)
		return rt_deadline(clock, timeout, deadline_ns);
	if (timeout->tv_sec < 0 || timeout->tv_nsec < 0 || timeout->tv_nsec >= 1000000000)
		return false;
	*deadline_ns = RT->now_ns + (uint64_t)timeout->tv_sec * 1000000000u +
		       (uint64_t)timeout->tv_nsec;
	return true;
}

bool rt_futex_wait(const uint32_t *word, uint32_t expected, const uint64_t *deadline_ns,
		   uint64_t site)
{
	uint64_t object = futex_object(word, FUTEX_PRIVATE_FLAG);

	if (waits_in_graphs(deadline_ns, ALL_BITS)) {
		wait_in_graphs(word, object, expected, site);
		return true;
	}
	return !enter(word, object, expected, ALL_BITS, site) ||
	       block(object, deadline_ns, site) == 0;
}

static long wait_on(const uint32_t *word, int op, uint32_t expected,
		    const struct timespec *timeout, uint32_t bits, uint64_t site)
{
	uint64_t object = futex_object(word, op), deadline_ns;

	if (timeout && !read_deadline(op, timeout, &deadline_ns))
		return rt_fail(EINVAL);
	if (!bits)
		return rt_fail(EINVAL);
	if (waits_in_graphs(timeout ? &deadline_ns : NULL, bits))
		return wait_in_graphs(word, object, expected, site);
	if (!enter(word, object, expected, bits, site))
		return rt_fail(EAGAIN);
	return block(object, timeout ? &deadline_ns : NULL, site);
}

/* How many wait for the object, and of those how many share one of the bits. */
static uint32_t count_matching(uint64_t object, uint32_t bits, uint32_t *waiting)
{
	uint32_t matching = 0;

	*waiting = 0;
	for (uint32_t i = 0; i < RT->actors_high; i++) {
		const struct rt_actor *actor = &RT->actors[i];

		if (actor->state == RT_FREE || actor->waiting_on != object)
			continue;
		++*waiting;
		matching += (actor->wait_bits & bits) != 0;
	}
	return matching;
}

static long wake(uint64_t object, uint32_t n, uint32_t bits, uint64_t site)
{
	struct event event = rt_event(EVENT_FUTEX_WAKE, site);
	uint32_t matching, waiting;
	struct event *did;

	rt_access_object(&event, object, ACCESS_SIGNAL);
	if (rt_history_in_graphs() && bits == ALL_BITS && (n == 1 || n >= MANY))
		rt_history_object(&event);
	did = rt_step(&event, NULL, NULL);
	rt_history_found(did, n > 1); /* does it wake all? */
	matching = count_matching(object, bits, &waiting);
	if (matching && matching < waiting)
		rt_warn_uncontrolled("a futex with several bit sets");
	did->value = rt_wait_signal(object, matching ? n : 0);
	return (long)did->value;
}

void rt_futex_wake(const uint32_t *word, uint32_t n, uint64_t site)
{
	wake(futex_object(word, FUTEX_PRIVATE_FLAG), n, ALL_BITS, site);
}

/* Everyone who waits for one object waits for the other from now on. */
static void move_waiters(uint64_t from, uint64_t to)
{
	for (uint32_t i = 0; i < RT->actors_high; i++) {
		struct rt_actor *actor = &RT->actors[i];

		if (actor->state == RT_FREE || actor->waiting_on != from)
			continue;
		actor->waiting_on = to;
		actor->announced.accesses[0].object = to;
		if (actor->deadline_ns)
			rt_warn_uncontrolled("a futex that is moved while it waits for a time");
	}
}

static long requeue(const uint32_t *word, const long *args, bool compare, uint64_t site)
{
	struct event event = rt_event(EVENT_FUTEX_WAKE, site);
	int op = (int)args[1];
	uint64_t from = futex_object(word, op), to = futex_object((const uint32_t *)args[4], op);
	uint32_t wakes = (uint32_t)args[2], moves = (uint32_t)args[3], waiting;
	struct event *did;

	rt_access_object(&event, from, ACCESS_SIGNAL);
	rt_access_object(&event, to, ACCESS_ENTER);
	if (compare)
		rt_mem_access(&event, word, sizeof(*word), ACCESS_READ);
	did = rt_step(&event, NULL, NULL);
	if (compare && *word != (uint32_t)args[5]) {
		did->flags |= EVENT_FAILED;
		return rt_fail(EAGAIN);
	}
	count_matching(from, ALL_BITS, &waiting);
	if (wakes >= waiting || !waiting) {
		did->value = rt_wait_signal(from, wakes);
	} else if (!wakes && moves >= waiting && rt_wait_unsignalled(from) == waiting) {
		move_waiters(from, to);
		did->value = waiting;
	} else {
		rt_warn_uncontrolled("a futex that wakes some and moves others");
		did->value = rt_wait_signal(from, INT32_MAX);
	}
	return (long)did->value;
}

long rt_futex(const long *args, uint64_t site)
{
	const uint32_t *word = (const uint32_t *)args[0];
	int op = (int)args[1];

	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
		return wait_on(word, op, (uint32_t)args[2], (const struct timespec *)args[3],
			       ALL_BITS, site);
	case FUTEX_WAIT_BITSET:
		return wait_on(word, op, (uint32_t)args[2], (const struct timespec *)args[3],
			       (uint32_t)args[5], site);
	case FUTEX_WAKE:
		return wake(futex_object(word, op), (uint32_t)args[2], ALL_BITS, site);
	case FUTEX_WAKE_BITSET:
		return wake(futex_object(word, op), (uint32_t)args[2], (uint32_t)args[5], site);
	case FUTEX_REQUEUE:
		return requeue(word, args, false, site);
	case FUTEX_CMP_REQUEUE:
		return requeue(word, args, true, site);
	default:
		rt_lost("futex operation %d is not supported", op & FUTEX_CMD_MASK);
	}
}

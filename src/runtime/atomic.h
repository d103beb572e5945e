/* atomic.h: atomic operations as steps, for the files that define the entry points.
 *
 *     struct rt_atomic op;
 *     rt_atomic_begin(&op, EVENT_RMW, address, size, order, RT_SITE);
 *     old = __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);
 *     rt_atomic_end(&op, old, changed);
 *
 * The operations are really performed, one at a time and in the order of the trace. So
 * they are sequentially consistent whatever order the program asked for, which is noted
 * as an assumption. Before the first thread, outside fermata, and on memory that only
 * the thread itself can reach, they are not steps.
 */
#ifndef RUNTIME_ATOMIC_H
#define RUNTIME_ATOMIC_H

#include "runtime/rt.h"

struct rt_atomic {
	struct event *did; /* NULL: no step */
	const void *seen;  /* under a weak memory model: the value that it reads; else NULL, and
	                      the value is in memory */
	bool fails;        /* a weak compare-and-swap that shall fail for no reason */
};

/* `order` is that of the compilers: 0 relaxed … 5 sequentially consistent. */
void rt_atomic_begin(struct rt_atomic *op, enum event_kind kind, const volatile void *address,
		     size_t size, int order, uint64_t site);
void rt_atomic_end(struct rt_atomic *op, uint64_t observed, bool changed);

/* As rt_atomic_begin, for compare_exchange_weak: op->fails may come back true. */
void rt_atomic_begin_weak(struct rt_atomic *op, const volatile void *address, size_t size,
			  int order, uint64_t site);
/* A compare-and-swap that succeeded; the order is that of a failure. */
void rt_atomic_end_done(struct rt_atomic *op, uint64_t observed, bool changed, int failed_order);
/* A compare-and-swap that failed was only a read, with its other order. */
void rt_atomic_end_failed(struct rt_atomic *op, uint64_t observed, int order);

void rt_atomic_fence(int order, uint64_t site);

typedef unsigned __int128 rt_u128;

/* The 16-byte compare-and-swap; returns what was there. */
rt_u128 rt_cas_16(volatile rt_u128 *address, rt_u128 expected, rt_u128 desired);

#endif

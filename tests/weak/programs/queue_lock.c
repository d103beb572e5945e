/* A queue lock after Mellor-Crummey and Scott. Each thread spins on a variable of its own stack. If
 * the link to the next thread is stored with a weak order, the store of the flag that lets the next
 * thread on may come before its initial value in modification order: it spins for ever.
 *
 * sc: proved 6
 * tso: proved 6
 * rc11: proved 6
 * tso -DLINK=relaxed: proved 6
 * rc11 -DLINK=relaxed: livelock
 * rc11 by pct: none
 * rc11 by random -DLINK=relaxed: livelock
 * rc11 -DLINK=relaxed suggests: release instead of relaxed
 * rc11 -DGIVE=relaxed: race
 */
#define CHECK assert(data == 2)
#include "weak.h"

#ifndef LINK
#define LINK release
#endif
#ifndef GIVE
#define GIVE release
#endif

struct waiter {
	_Atomic(struct waiter *) next;
	atomic_int waits;
};

_Atomic(struct waiter *) last;
int data;

static void take(struct waiter *own)
{
	struct waiter *before;

	STORE_TO(own->next, NULL, relaxed);
	STORE_TO(own->waits, 1, relaxed);
	before = SWAP(last, own, acq_rel);
	if (!before)
		return;
	STORE_TO(before->next, own, LINK);
	while (LOAD_FROM(own->waits, acquire))
		;
}

static void give(struct waiter *own)
{
	struct waiter *next = LOAD_FROM(own->next, acquire), *expected = own;

	if (!next) {
		if (CAS(last, expected, NULL, release, relaxed))
			return;
		while (!(next = LOAD_FROM(own->next, acquire)))
			;
	}
	STORE_TO(next->waits, 0, GIVE);
}

static void *work(void *unused)
{
	struct waiter own;

	take(&own);
	data++;
	give(&own);
	return unused;
}

MAIN(work, work)

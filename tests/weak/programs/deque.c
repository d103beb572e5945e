/* A work-stealing deque after Chase and Lev with the orders of Lê and others (PPoPP 2013). The owner
 * pushes one item, then takes; a thief steals. Each item must be got at most once.
 *
 * rc11: proved
 * tso: proved
 * rc11 -DTAKE_FENCE=acq_rel: assertion
 * rc11 by pos: none
 * rc11 by pos -DTAKE_FENCE=acq_rel: assertion
 * rc11 -DTAKE_FENCE=acq_rel suggests: fence: seq_cst instead of acq_rel
 * tso -DTAKE_FENCE=acq_rel: assertion
 * rc11 -DSTEAL_FENCE=acquire: assertion
 */
#include <stdbool.h>

#include "weak.h"

#ifndef TAKE_FENCE
#define TAKE_FENCE seq_cst
#endif
#ifndef STEAL_FENCE
#define STEAL_FENCE seq_cst
#endif

enum { SIZE = 4 };

atomic_int top, bottom, items[SIZE], got[SIZE];

static void count(int item)
{
	int before = ADD_TO(got[item], 1, relaxed);

	assert(before == 0);
}

static void push(int item)
{
	int b = LOAD_FROM(bottom, relaxed);

	STORE_TO(items[b % SIZE], item, relaxed);
	FENCE(release);
	STORE_TO(bottom, b + 1, relaxed);
}

static void take(void)
{
	int b = LOAD_FROM(bottom, relaxed) - 1, t, item;

	STORE_TO(bottom, b, relaxed);
	FENCE(TAKE_FENCE);
	t = LOAD_FROM(top, relaxed);
	if (t > b) {
		STORE_TO(bottom, b + 1, relaxed);
		return;
	}
	item = LOAD_FROM(items[b % SIZE], relaxed);
	if (t == b) {
		bool is_won = CAS(top, t, t + 1, seq_cst, relaxed);

		STORE_TO(bottom, b + 1, relaxed);
		if (!is_won)
			return;
	}
	count(item);
}

static void *own(void *unused)
{
	push(0);
	push(1);
	take();
	take();
	return unused;
}

static void *steal(void *unused)
{
	for (int i = 0; i < 2; i++) {
		int t = LOAD_FROM(top, acquire), b;

		FENCE(STEAL_FENCE);
		b = LOAD_FROM(bottom, acquire);
		if (t < b) {
			int item = LOAD_FROM(items[t % SIZE], relaxed);

			if (CAS(top, t, t + 1, seq_cst, relaxed))
				count(item);
		}
	}
	return unused;
}

MAIN(own, steal)

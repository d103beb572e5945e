/* A sequence lock: a reader that sees the same even number twice has read one state.
 *
 * sc: proved
 * tso: proved
 * rc11: proved
 * rc11 -DREAD_FENCE=relaxed: assertion
 * rc11 -DWRITE_FENCE=relaxed: assertion
 * rc11 -DEND=relaxed: assertion
 * rc11 -DEND=relaxed suggests: store number: release instead of relaxed
 */
#include "weak.h"

#ifndef READ_FENCE
#define READ_FENCE acquire
#endif
#ifndef WRITE_FENCE
#define WRITE_FENCE release
#endif
#ifndef END
#define END release
#endif

atomic_uint number;
atomic_int a, b;

static void *write_both(void *unused)
{
	STORE_TO(number, 1, relaxed);
	FENCE(WRITE_FENCE);
	STORE_TO(a, 1, relaxed);
	STORE_TO(b, 1, relaxed);
	STORE_TO(number, 2, END);
	return unused;
}

static void *read_both(void *unused)
{
	unsigned before = LOAD_FROM(number, acquire), after;
	int saw_a = LOAD_FROM(a, relaxed), saw_b = LOAD_FROM(b, relaxed);

	FENCE(READ_FENCE);
	after = LOAD_FROM(number, relaxed);
	if (before == after && before % 2 == 0)
		assert(saw_a == saw_b);
	return unused;
}

MAIN(write_both, read_both)

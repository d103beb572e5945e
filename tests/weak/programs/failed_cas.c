/* A compare-and-swap that fails is a read with its failure order.
 *
 * tso: proved
 * rc11: proved
 * tso -DFAILED=relaxed: race
 * rc11 -DFAILED=relaxed: race
 */
#include "weak.h"

#ifndef FAILED
#define FAILED acquire
#endif

atomic_int state;
int data;

static void *publish(void *unused)
{
	data = 1;
	STORE_TO(state, 1, release);
	return unused;
}

static void *look(void *unused)
{
	int expected = 5;

	CAS(state, expected, 6, acquire, FAILED);
	if (expected == 1)
		assert(data == 1);
	return unused;
}

MAIN(publish, look)

/* A release sequence goes on through updates of any order, not through stores (C++20).
 *
 * sc: proved
 * tso: proved
 * rc11: proved
 * sc -DBY_STORE: race
 * tso -DBY_STORE: race
 * rc11 -DBY_STORE: race
 */
#include "weak.h"

atomic_int flag;
int data;

static void *publish(void *unused)
{
	data = 1;
	STORE_TO(flag, 1, release);
#ifdef BY_STORE
	STORE_TO(flag, 2, relaxed);
#endif
	return unused;
}

static void *add(void *unused)
{
#ifndef BY_STORE
	int one = 1;

	CAS(flag, one, 2, relaxed, relaxed);
#endif
	return unused;
}

static void *consume(void *unused)
{
	if (LOAD_FROM(flag, acquire) == 2)
		assert(data == 1);
	return unused;
}

MAIN(publish, add, consume)

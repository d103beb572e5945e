/* One thread ends the program while another may still fail: exit() must not hide it.
 *
 * tso: proved
 * rc11: assertion
 * rc11 by pos: assertion
 * rc11 -DSTORE=release -DLOAD=acquire: proved 2
 * rc11 -DAGAIN: assertion
 */
#include "weak.h"

#ifndef STORE
#define STORE relaxed
#endif
#ifndef LOAD
#define LOAD relaxed
#endif

atomic_int x, y;

static void *leaves(void *unused)
{
	STORE_TO(x, 1, relaxed);
	STORE_TO(y, 1, STORE);
	exit(0);
}

static void *fails(void *unused)
{
	if (LOAD_FROM(y, LOAD) == 1)
		assert(LOAD_FROM(x, relaxed) == 1);
	return unused;
}

#ifdef AGAIN
MAIN(fails, leaves)
#else
MAIN(leaves, fails)
#endif

/* Relaxed updates lose nothing; a load and a store do.
 *
 * rc11: proved 6
 * tso: proved 6
 * rc11 -DAPART: assertion
 */
#define CHECK assert(LOAD_FROM(count, relaxed) == 3)
#include "weak.h"

atomic_int count;

static void *add(void *unused)
{
#ifdef APART
	STORE_TO(count, LOAD_FROM(count, relaxed) + 1, relaxed);
#else
	ADD_TO(count, 1, relaxed);
#endif
	return unused;
}

MAIN(add, add, add)

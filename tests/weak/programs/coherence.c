/* Two loads of one variable never go back, whatever the orders; two stores to two variables may be
 * seen in either order.
 *
 * tso: proved 6
 * rc11: proved 6
 * tso -DTWO_WRITERS: proved 3
 * rc11 -DTWO_WRITERS: assertion
 */
#ifdef TWO_WRITERS
#define CHECK assert(!(LOAD_FROM(x, relaxed) == 1 && LOAD_FROM(y, relaxed) == 1))
#endif
#include "weak.h"

atomic_int x, y;

static void *first(void *unused)
{
	STORE_TO(x, 1, relaxed);
#ifdef TWO_WRITERS
	STORE_TO(y, 2, relaxed);
#else
	STORE_TO(x, 2, relaxed);
#endif
	return unused;
}

static void *second(void *unused)
{
#ifdef TWO_WRITERS
	STORE_TO(y, 1, relaxed);
	STORE_TO(x, 2, relaxed);
#else
	int before = LOAD_FROM(x, relaxed), after = LOAD_FROM(x, relaxed);

	assert(after >= before);
#endif
	return unused;
}

MAIN(first, second)

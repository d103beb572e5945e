/* A weak compare-and-swap may fail for no reason. The search of graphs does not try that, and names the
 * assumption even if such failures were asked for.
 *
 * rc11: proved 2
 * rc11 says: assuming no spurious wake-ups
 * rc11 --spurious=1: proved 2
 * rc11 --spurious=1 says: assuming no spurious wake-ups
 * sc --spurious=1: assertion
 */
#include <stdbool.h>

#include "weak.h"

atomic_int x, y;

static void *change(void *unused)
{
	int expected = 0;
	bool has_changed = atomic_compare_exchange_weak_explicit(&x, &expected, 1, ORDER(relaxed),
								 ORDER(relaxed));

	assert(has_changed);
	STORE_TO(y, 1, relaxed);
	return unused;
}

static void *look(void *unused)
{
	LOAD_FROM(y, relaxed);
	return unused;
}

MAIN(change, look)

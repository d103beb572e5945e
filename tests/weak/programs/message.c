/* Message passing: data, then a flag, with the orders as macros.
 *
 * sc: proved 3
 * tso: proved 3
 * rc11: assertion
 * rc11 says: reads 0, an old value: the store of step 3 was not yet visible to read_both
 * rc11 says: a release store at step 4
 * rc11 says: an acquire load at step
 * rc11 -DSTORE=release -DLOAD=acquire: proved 3
 * rc11 -DSTORE=release -DLOAD=acquire suggests: load flag: acquire, and weaker is not proved
 * rc11 -DSTORE=release: assertion
 * rc11 by random: assertion
 * rc11 by rff -DSTORE=release: assertion
 * rc11 by random -DSTORE=release -DLOAD=acquire: none
 * rc11 -DSTORE=seq_cst -DLOAD=seq_cst: proved 3
 * rc11 -DSTORE=seq_cst -DLOAD=seq_cst suggests: store flag: seq_cst, and release is enough
 * rc11 -DRELEASE_FENCE -DACQUIRE_FENCE: proved 3
 * rc11 -DRELEASE_FENCE: assertion
 */
#include "weak.h"

#ifndef STORE
#define STORE relaxed
#endif
#ifndef LOAD
#define LOAD relaxed
#endif

atomic_int data, flag;

static void *write_both(void *unused)
{
	STORE_TO(data, 1, relaxed);
#ifdef RELEASE_FENCE
	FENCE(release);
#endif
	STORE_TO(flag, 1, STORE);
	return unused;
}

static void *read_both(void *unused)
{
	int seen = LOAD_FROM(flag, LOAD), value;

#ifdef ACQUIRE_FENCE
	FENCE(acquire);
#endif
	value = LOAD_FROM(data, relaxed);
	assert(!seen || value);
	return unused;
}

MAIN(write_both, read_both)

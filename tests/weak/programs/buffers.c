/* Store buffering, Dekker's core: may both threads miss the other's store?
 *
 * sc: proved 3
 * tso: assertion
 * rc11: assertion
 * tso says: a seq_cst store at step
 * rc11 says: a seq_cst load at step
 * tso -DORDER_FENCE=acq_rel: assertion
 * rc11 -DORDER_FENCE=acq_rel: assertion
 * tso -DORDER_FENCE=seq_cst: proved 3
 * rc11 -DORDER_FENCE=seq_cst: proved 3
 * tso -DSWAPS: proved 3
 * rc11 -DSWAPS: assertion
 */
#define CHECK assert(saw_y || saw_x)
#include "weak.h"

atomic_int x, y;
int saw_x, saw_y;

static void enter(atomic_int *own)
{
#ifdef SWAPS
	SWAP(*own, 1, acq_rel);
#else
	STORE_TO(*own, 1, relaxed);
#endif
#ifdef ORDER_FENCE
	FENCE(ORDER_FENCE);
#endif
}

static void *first(void *unused)
{
	enter(&x);
	saw_y = LOAD_FROM(y, relaxed);
	return unused;
}

static void *second(void *unused)
{
	enter(&y);
	saw_x = LOAD_FROM(x, relaxed);
	return unused;
}

MAIN(first, second)

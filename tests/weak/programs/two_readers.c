/* Two writers, two readers (IRIW): may the readers disagree about the order of the writes?
 *
 * tso: proved 15
 * rc11: assertion
 * rc11 -DREAD=seq_cst -DWRITE=seq_cst: proved 15
 * rc11 -DREAD=seq_cst: assertion
 * rc11 by pos: assertion
 * tso by pos: none
 */
#define CHECK assert(!(a == 1 && b == 0 && c == 1 && d == 0))
#include "weak.h"

#ifndef READ
#define READ acquire
#endif
#ifndef WRITE
#define WRITE release
#endif

atomic_int x, y;
int a, b, c, d;

static void *write_x(void *unused)
{
	STORE_TO(x, 1, WRITE);
	return unused;
}

static void *write_y(void *unused)
{
	STORE_TO(y, 1, WRITE);
	return unused;
}

static void *read_xy(void *unused)
{
	a = LOAD_FROM(x, READ);
	b = LOAD_FROM(y, READ);
	return unused;
}

static void *read_yx(void *unused)
{
	c = LOAD_FROM(y, READ);
	d = LOAD_FROM(x, READ);
	return unused;
}

MAIN(write_x, write_y, read_xy, read_yx)

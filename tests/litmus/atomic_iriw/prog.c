/* Independent reads of independent writes: the readers agree on one order. */
#include "litmus.h"

static atomic_int x, y;
static int seen[4];

THREAD(write_x)
{
	x = 1;
	return NULL;
}

THREAD(write_y)
{
	y = 1;
	return NULL;
}

THREAD(read_xy)
{
	seen[0] = x;
	seen[1] = y;
	return NULL;
}

THREAD(read_yx)
{
	seen[2] = y;
	seen[3] = x;
	return NULL;
}

int main(void)
{
	RUN(write_x, write_y, read_xy, read_yx);
	assert(!(seen[0] == 1 && seen[1] == 0 && seen[2] == 1 && seen[3] == 0));
	printf("%d%d%d%d\n", seen[0], seen[1], seen[2], seen[3]);
	return 0;
}

/* Load buffering: both reading one is impossible. */
#include "litmus.h"

static atomic_int x, y;
static int seen_x, seen_y;

THREAD(left)
{
	seen_x = x;
	y = 1;
	return NULL;
}

THREAD(right)
{
	seen_y = y;
	x = 1;
	return NULL;
}

int main(void)
{
	RUN(left, right);
	assert(!(seen_x && seen_y));
	printf("%d%d\n", seen_x, seen_y);
	return 0;
}

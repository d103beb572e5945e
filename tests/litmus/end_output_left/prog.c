/* Text that is still in the buffer of a FILE when the run ends is part of its output. */
#include "litmus.h"

static atomic_int x;
static int seen;

THREAD(set)
{
	x = 1;
	return NULL;
}

THREAD(look)
{
	seen = x;
	return NULL;
}

int main(void)
{
	printf("before the first thread; ");
	RUN(set, look);
	putchar_unlocked('0' + seen);
	return 0;
}

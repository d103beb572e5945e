/* exit(1) called by a thread that saw what it should not have. */
#include "litmus.h"

static atomic_int x;

THREAD(set)
{
	x = 1;
	x = 0;
	return NULL;
}

THREAD(look)
{
	if (x == 1)
		exit(1);
	return NULL;
}

int main(void)
{
	RUN(set, look);
	return 0;
}

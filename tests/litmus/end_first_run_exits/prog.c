/* The simplest schedule exits early; others assert. Both must be found. */
#include "litmus.h"

static atomic_int x;

THREAD(leave_early)
{
	if (x == 0)
		exit(2);
	assert(x != 1);
	return NULL;
}

THREAD(set)
{
	x = 1;
	x = 2;
	return NULL;
}

int main(void)
{
	RUN(leave_early, set);
	return 0;
}

/* abort, called on one schedule only. */
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
		abort();
	return NULL;
}

int main(void)
{
	RUN(set, look);
	return 0;
}

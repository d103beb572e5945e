/* The value waited for never comes, on any schedule. */
#include "litmus.h"

static atomic_int x;

THREAD(spin)
{
	while (x != 2)
		;
	return NULL;
}

THREAD(add)
{
	x++;
	return NULL;
}

int main(void)
{
	RUN(spin, add);
	return 0;
}

/* A value goes up by steps, and the one waited for may be passed over. */
#include "litmus.h"

static atomic_int x;

THREAD(spin)
{
	while (x != 1)
		;
	return NULL;
}

THREAD(count)
{
	x++;
	x++;
	x++;
	x = 3;
	return NULL;
}

int main(void)
{
	RUN(spin, count);
	printf("%d\n", x);
	return 0;
}

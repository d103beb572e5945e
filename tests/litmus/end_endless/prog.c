/* A program that never ends is stopped by --max-steps. */
#include "litmus.h"

static atomic_int x;

THREAD(count)
{
	for (;;)
		x++;
	return NULL;
}

int main(void)
{
	RUN(count, count);
	return 0;
}

/* Recursion without end, if the other thread was first. */
#include "litmus.h"

static atomic_int is_set;

static int recurse(volatile char *above)
{
	volatile char frame[4096];

	frame[0] = above[0];
	if (frame[0] == 0)
		return 0;
	return recurse(frame) + frame[0];
}

THREAD(set)
{
	is_set = 1;
	return NULL;
}

THREAD(look)
{
	volatile char first = 1;

	if (is_set)
		return (void *)(intptr_t)recurse(&first);
	return NULL;
}

int main(void)
{
	RUN(set, look);
	return 0;
}

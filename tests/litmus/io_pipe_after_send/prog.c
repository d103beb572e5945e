/* A write after the byte was sent is not ordered by it. */
#include "litmus.h"

static int ends[2];
static int data;

THREAD(send)
{
#ifdef FIXED
	data = 42;
	assert(write(ends[1], "x", 1) == 1);
#else
	assert(write(ends[1], "x", 1) == 1);
	data = 42;
#endif
	return NULL;
}

THREAD(receive)
{
	char byte;

	assert(read(ends[0], &byte, 1) == 1);
	return (void *)(intptr_t)data;
}

int main(void)
{
	OK(pipe(ends));
	RUN(receive, send);
	return 0;
}

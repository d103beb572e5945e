/* A read of an empty pipe waits for the writer, and orders what was written before. */
#include "litmus.h"

static int ends[2];
static int data;

THREAD(send)
{
	data = 42;
#ifndef NOBODY_WRITES
	assert(write(ends[1], "x", 1) == 1);
#endif
	return NULL;
}

THREAD(receive)
{
	char byte;

	assert(read(ends[0], &byte, 1) == 1 && byte == 'x');
	assert(data == 42);
	return NULL;
}

int main(void)
{
	OK(pipe(ends));
	RUN(receive, send);
	close(ends[0]);
	close(ends[1]);
	return 0;
}

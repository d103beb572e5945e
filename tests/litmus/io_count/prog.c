/* ioctl(FIONREAD) reads how much is in a pipe. -DFIXED: after the writer has ended. */
#include "litmus.h"

#include <sys/ioctl.h>

static int ends[2];

THREAD(look)
{
	int count = 0;

#ifndef FIXED
	OK(ioctl(ends[0], FIONREAD, &count));
	assert(count == 0);
#endif
	(void)count;
	return NULL;
}

THREAD(send)
{
	assert(write(ends[1], "ab", 2) == 2);
	return NULL;
}

int main(void)
{
	int count = 0;

	OK(pipe(ends));
	RUN(look, send);
	OK(ioctl(ends[0], FIONREAD, &count));
	assert(count == 2);
	return 0;
}

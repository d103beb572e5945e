/* A non-blocking read finds the byte or EAGAIN. */
#include "litmus.h"

#include <fcntl.h>

static int ends[2];
static int got;

THREAD(send)
{
	assert(write(ends[1], "x", 1) == 1);
	return NULL;
}

THREAD(receive)
{
	char byte;

	got = (int)read(ends[0], &byte, 1);
	assert(got == 1 || errno == EAGAIN);
	return NULL;
}

int main(void)
{
	OK(pipe2(ends, O_NONBLOCK));
	RUN(receive, send);
	printf("%d\n", got);
	return 0;
}

/* select waits until there is something to read. */
#include "litmus.h"

#include <sys/select.h>

static int ends[2];

THREAD(send)
{
	assert(write(ends[1], "x", 1) == 1);
	return NULL;
}

THREAD(receive)
{
	fd_set readable;
	char byte;

	FD_ZERO(&readable);
	FD_SET(ends[0], &readable);
	assert(select(ends[0] + 1, &readable, NULL, NULL, NULL) == 1);
	assert(FD_ISSET(ends[0], &readable));
	assert(read(ends[0], &byte, 1) == 1);
	return NULL;
}

int main(void)
{
	OK(pipe(ends));
	RUN(receive, send);
	return 0;
}

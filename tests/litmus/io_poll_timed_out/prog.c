/* A poll that finds nothing in a pipe takes nothing from it: who waits to read is not kept waiting by the poll. -DTWO: it
 * finds something in another one. */
#include "litmus.h"

#include <poll.h>

static int ends[2], others[2];

THREAD(look)
{
	struct pollfd fds[] = {{.fd = ends[0], .events = POLLIN}, {.fd = others[0], .events = POLLIN}};

#ifdef TWO
	assert(poll(fds, 2, -1) == 1 && !fds[0].revents);
#else
	assert(poll(fds, 1, 5) == 0);
#endif
	return NULL;
}

THREAD(take)
{
	char byte;

	assert(read(ends[0], &byte, 1) == 1);
	return NULL;
}

int main(void)
{
	OK(pipe(ends));
	OK(pipe(others));
	assert(write(others[1], "a", 1) == 1);
	RUN(look, take);
	return 0;
}

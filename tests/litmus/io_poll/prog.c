/* poll waits for either of two pipes, and says which. */
#include "litmus.h"

#include <poll.h>

static int first[2], second[2];

THREAD(write_first)
{
#ifndef NOBODY_WRITES
	assert(write(first[1], "1", 1) == 1);
#endif
	return NULL;
}

THREAD(write_second)
{
#ifndef NOBODY_WRITES
	assert(write(second[1], "2", 1) == 1);
#endif
	return NULL;
}

THREAD(wait_for_either)
{
	struct pollfd fds[2] = {
		{ .fd = first[0], .events = POLLIN },
		{ .fd = second[0], .events = POLLIN },
	};

	assert(poll(fds, 2, -1) > 0);
	assert((fds[0].revents | fds[1].revents) & POLLIN);
	puts(fds[0].revents & POLLIN ? "first" : "second only");
	return NULL;
}

int main(void)
{
	OK(pipe(first));
	OK(pipe(second));
	RUN(wait_for_either, write_first, write_second);
	return 0;
}

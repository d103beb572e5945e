/* epoll waits until one of its descriptors is ready. */
#include "litmus.h"

#include <sys/epoll.h>

static int ends[2];
static int epoll;

THREAD(send)
{
	assert(write(ends[1], "x", 1) == 1);
	return NULL;
}

THREAD(receive)
{
	struct epoll_event event;
	char byte;

	assert(epoll_wait(epoll, &event, 1, -1) == 1);
	assert(event.data.fd == ends[0]);
	assert(read(ends[0], &byte, 1) == 1);
	return NULL;
}

int main(void)
{
	struct epoll_event event = { .events = EPOLLIN };

	OK(pipe(ends));
	epoll = epoll_create1(0);
	event.data.fd = ends[0];
	OK(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event));
	RUN(receive, send);
	return 0;
}

/* One thread changes the set of an epoll, another waits on it.
 *
 * LOOK: a look that does not wait sees a descriptor that is ready before or after it is added.
 * Neither: the wait is over when a descriptor that is ready is added.
 * MISS: the descriptor is taken out again, so the wait may never end.
 * FLAG: a flag that is not modelled is named. */
#include "litmus.h"

#include <sys/epoll.h>

static int ends[2];
static int epoll;

static struct epoll_event wanted = {.events = EPOLLIN};

THREAD(change)
{
	OK(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &wanted));
#ifdef MISS
	OK(epoll_ctl(epoll, EPOLL_CTL_DEL, ends[0], NULL));
#endif
	return NULL;
}

THREAD(look)
{
	struct epoll_event events[2];

#ifdef LOOK
	assert(epoll_wait(epoll, events, 2, 0) == LOOK);
#else
	assert(epoll_wait(epoll, events, 2, -1) == 1);
#endif
	return NULL;
}

int main(void)
{
#ifdef FLAG
	wanted.events |= FLAG;
#endif
	OK(pipe(ends));
	assert(write(ends[1], "x", 1) == 1);
	epoll = epoll_create1(0);
	RUN(change, look);
	return 0;
}

/* poll with a timeout may come back with nothing. */
#include "litmus.h"

#include <poll.h>

static int ends[2];

THREAD(send)
{
	assert(write(ends[1], "x", 1) == 1);
	return NULL;
}

int main(void)
{
	struct pollfd fd;
	pthread_t id;

	OK(pipe(ends));
	fd = (struct pollfd){ .fd = ends[0], .events = POLLIN };
	id = start(send);
	puts(poll(&fd, 1, 10) == 0 ? "nothing" : "something");
	join(id);
	return 0;
}

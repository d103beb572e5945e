/* O_NONBLOCK belongs to the open file: set by a copy of the descriptor, it holds for the other one.
 * -DEND: the other end of the pipe is an open file of its own. */
#include "litmus.h"

#include <fcntl.h>

static int ends[2];

THREAD(reader)
{
	char byte;

	assert(read(ends[0], &byte, 1) == 1);
	return NULL;
}

int main(void)
{
	pthread_t id;
	int copy;

	OK(pipe(ends));
#ifdef END
	copy = dup(ends[1]);
#else
	copy = dup(ends[0]);
#endif
	id = start(reader);
	OK(fcntl(copy, F_SETFL, O_NONBLOCK));
	assert(write(ends[1], "x", 1) == 1);
	join(id);
	return 0;
}

/* A pipe holds what F_SETPIPE_SZ says: 5000 bytes do not fit into one of 4096. -DLARGE: 200000 bytes
 * fit into one of 1 MB. -DLATE: a change beside other threads is named. */
#include "litmus.h"

#include <fcntl.h>

#ifdef LARGE
enum { ROOM = 1 << 20, BYTES = 200000 };
#else
enum { ROOM = 4096, BYTES = 5000 };
#endif

static int ends[2];
static char bytes[BYTES];

THREAD(writer)
{
#ifdef LATE
	assert(fcntl(ends[1], F_SETPIPE_SZ, ROOM) > 0);
#else
	assert(write(ends[1], bytes, BYTES) == BYTES);
#endif
	return NULL;
}

int main(void)
{
	OK(pipe(ends));
#ifndef LATE
	assert(fcntl(ends[1], F_SETPIPE_SZ, ROOM) >= ROOM);
#endif
	RUN(writer);
	return 0;
}

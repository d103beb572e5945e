/* One thread makes a pipe non-blocking while another one uses it: the read waits or not, and F_GETFL
 * (-DGET) tells the one or the other. -DWANTED: which of the two is wrong. -DBEFORE: the flag is set
 * before the other thread is there. */
#include "litmus.h"

#include <fcntl.h>

#ifndef WANTED
#define WANTED 1
#endif

static int ends[2];

THREAD(use)
{
#ifdef GET
	int waits = !(fcntl(ends[0], F_GETFL) & O_NONBLOCK);
#else
	char byte;
	int waits = read(ends[0], &byte, 1) == 1;
#endif
#ifdef BEFORE
	(void)waits;
#else
	assert(waits == WANTED);
#endif
	return NULL;
}

THREAD(change)
{
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	return NULL;
}

THREAD(fill)
{
	assert(write(ends[1], "x", 1) == 1);
	return NULL;
}

int main(void)
{
	OK(pipe(ends));
#ifdef BEFORE
	join(start(change));
	RUN(use, fill);
#else
	RUN(use, change, fill);
#endif
	return 0;
}

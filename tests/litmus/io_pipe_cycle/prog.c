/* Two threads read first and write then: each waits for the other's byte. */
#include "litmus.h"

static int ends[2][2];

THREAD(talk)
{
	int me = (int)(intptr_t)arg;
	char byte;

	if (read(ends[me][0], &byte, 1) == 1)
		assert(write(ends[1 - me][1], &byte, 1) == 1);
	return NULL;
}

int main(void)
{
	OK(pipe(ends[0]));
	OK(pipe(ends[1]));
	RUN(talk, talk);
	return 0;
}

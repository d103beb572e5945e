/* A reader sees the end when the last writer closes. */
#include "litmus.h"

static int ends[2];

THREAD(send)
{
	assert(write(ends[1], "ab", 2) == 2);
	OK(close(ends[1]));
	return NULL;
}

THREAD(receive)
{
	char bytes[4];
	ssize_t got, total = 0;

	while ((got = read(ends[0], bytes, sizeof(bytes))) > 0)
		total += got;
	assert(got == 0 && total == 2);
	return NULL;
}

int main(void)
{
	OK(pipe(ends));
	RUN(receive, send);
	close(ends[0]);
	return 0;
}

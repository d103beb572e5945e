/* A sequence lock over atomics: the reader goes again if the writer was in between. */
#include "litmus.h"

static atomic_int sequence;
static atomic_int low, high;

THREAD(write_pair)
{
#ifndef BROKEN
	sequence++;
#endif
	low = 1;
	high = 1;
#ifndef BROKEN
	sequence++;
#endif
	return NULL;
}

THREAD(read_pair)
{
	int before, seen_low, seen_high;

	do {
		before = sequence;
		seen_low = low;
		seen_high = high;
	} while (before % 2 != 0 || sequence != before);
	assert(seen_low == seen_high);
	return NULL;
}

int main(void)
{
	RUN(write_pair, read_pair);
	return 0;
}

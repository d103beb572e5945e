/* An assertion, with its text in the finding. */
#include "litmus.h"

static atomic_int x;

THREAD(set)
{
	x = 1;
	x = 0;
	return NULL;
}

THREAD(look)
{
	int seen_x = x;

#ifdef FIXED
	(void)seen_x;
#else
	assert(seen_x != 1);
#endif
	return NULL;
}

int main(void)
{
	RUN(set, look);
	return 0;
}

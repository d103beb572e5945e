/* A home-made once: test the flag, then set it. */
#include "litmus.h"

static atomic_int is_done;
static atomic_int runs;

THREAD(use)
{
#ifdef FIXED
	if (atomic_exchange(&is_done, 1) == 0)
		runs++;
#else
	if (!is_done) {
		is_done = 1;
		runs++;
	}
#endif
	return NULL;
}

int main(void)
{
	RUN(use, use);
	assert(runs == 1);
	return 0;
}

/* __thread variables are the thread's own, initialised anew in each. */
#include "litmus.h"

static __thread int mine = 5;

THREAD(use)
{
	mine += (int)(intptr_t)arg;
	sched_yield();
	assert(mine == 5 + (int)(intptr_t)arg);
	return NULL;
}

int main(void)
{
	RUN(use, use, use);
	assert(mine == 5);
	return 0;
}

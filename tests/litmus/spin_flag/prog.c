/* Waiting for a flag by spinning: one class, whatever is done in the loop. */
#include "litmus.h"

static atomic_int flag;

THREAD(set)
{
	flag = 1;
	return NULL;
}

THREAD(spin)
{
	while (!flag) {
#if defined(YIELD)
		sched_yield();
#elif defined(PAUSE)
		__builtin_ia32_pause();
#endif
	}
	return NULL;
}

int main(void)
{
	RUN(spin, set);
	return 0;
}

/* A weak compare-and-swap may fail for no reason, which counts as spurious. */
#include "litmus.h"

static atomic_int x;

THREAD(set)
{
	int zero = 0;

#ifdef FIXED
	while (!atomic_compare_exchange_weak(&x, &zero, 1))
		;
#else
	atomic_compare_exchange_weak(&x, &zero, 1);
#endif
	return NULL;
}

int main(void)
{
	RUN(set);
	assert(x == 1);
	return 0;
}

/* The exit status depends on who was first. */
#include "litmus.h"

static atomic_int first;

THREAD(run)
{
	int none = 0;

	atomic_compare_exchange_strong(&first, &none, (int)(intptr_t)arg + 1);
	return NULL;
}

int main(void)
{
	RUN(run, run);
#ifdef FIXED
	return 0;
#else
	return first == 2 ? 3 : 0;
#endif
}

/* The value waited for is there for a moment only; who looks too late spins for ever. */
#include "litmus.h"

static atomic_int x;

THREAD(spin)
{
	while (x != 2)
		;
	return NULL;
}

THREAD(pass_by)
{
	int two = 2;

	atomic_exchange(&x, 2);
	atomic_compare_exchange_strong(&x, &two, 3);
	return NULL;
}

int main(void)
{
	RUN(pass_by, spin);
	return 0;
}

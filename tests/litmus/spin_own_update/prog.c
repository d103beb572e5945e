/* The spinner itself has brought the value up to where another's store decides. */
#include "litmus.h"

static atomic_int x;

THREAD(store)
{
	x = 2;
	return NULL;
}

THREAD(add_and_spin)
{
	x = 1;
	x++;
	while (x != 3)
		;
	return NULL;
}

int main(void)
{
	RUN(store, add_and_spin);
	return 0;
}

/* The flag is set on one path only: on the other the spinner turns for ever. */
#include "litmus.h"

static atomic_int flag, closed;

THREAD(set)
{
	if (atomic_exchange(&closed, 1) == 0)
		flag = 1;
#ifdef FIXED
	flag = 1;
#endif
	return NULL;
}

THREAD(spin)
{
	atomic_exchange(&closed, 1);
	while (!flag)
		;
	return NULL;
}

int main(void)
{
	RUN(spin, set);
	return 0;
}

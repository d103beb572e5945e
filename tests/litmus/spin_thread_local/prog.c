/* Tries counted in an atomic variable of the thread's own: no turn of the loop is void. */
#include "litmus.h"

static _Thread_local atomic_int tries;
static atomic_int flag;
static int got;

THREAD(waiter)
{
	while (tries++ < 3 && !flag)
		;
	got = flag;
	return NULL;
}

THREAD(giver)
{
	flag = 1;
	return NULL;
}

int main(void)
{
	RUN(waiter, giver);
	printf("%d\n", got);
	return 0;
}

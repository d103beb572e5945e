/* One side atomic, the other plain: a race all the same. */
#include "litmus.h"

static int x;

THREAD(set)
{
	__atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

THREAD(look)
{
	return (void *)(intptr_t)x;
}

int main(void)
{
	RUN(set, look);
	return 0;
}

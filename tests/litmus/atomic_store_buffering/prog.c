/* Store buffering: both reading zero is impossible where everything is one order. */
#include "litmus.h"

#ifndef ORDER
#define ORDER memory_order_seq_cst
#endif

static atomic_int x, y;
static int seen_x, seen_y;

THREAD(left)
{
	atomic_store_explicit(&x, 1, ORDER);
	seen_y = atomic_load_explicit(&y, ORDER);
	return NULL;
}

THREAD(right)
{
	atomic_store_explicit(&y, 1, ORDER);
	seen_x = atomic_load_explicit(&x, ORDER);
	return NULL;
}

int main(void)
{
	RUN(left, right);
	assert(seen_x || seen_y);
	printf("%d%d\n", seen_x, seen_y);
	return 0;
}

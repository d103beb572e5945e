/* Two reads of one variable never go back; equal first and second or older first. */
#include "litmus.h"

static atomic_int x;
static int first, second;

THREAD(write_twice)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	return NULL;
}

THREAD(read_twice)
{
	first = atomic_load_explicit(&x, memory_order_relaxed);
	second = atomic_load_explicit(&x, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	RUN(write_twice, read_twice);
	assert(first <= second);
	printf("%d%d\n", first, second);
	return 0;
}

/* Consume is taken as acquire, as compilers do. */
#include "litmus.h"

static int data[2];
static int *_Atomic pointer;

THREAD(publish)
{
	data[1] = 42;
	atomic_store_explicit(&pointer, &data[1], memory_order_release);
	return NULL;
}

THREAD(use)
{
	int *seen = atomic_load_explicit(&pointer, memory_order_consume);

	if (seen != NULL)
		assert(*seen == 42);
	return NULL;
}

int main(void)
{
	RUN(publish, use);
	return 0;
}

/* A flag publishes data: with release and acquire it does, with less it is a data race. */
#include "litmus.h"

static int data;
static atomic_int flag;

THREAD(publish)
{
	data = 42;
	atomic_store_explicit(&flag, 1, WRITE);
	return NULL;
}

THREAD(use)
{
	if (atomic_load_explicit(&flag, READ))
		assert(data == 42);
	return NULL;
}

int main(void)
{
	RUN(publish, use);
	return 0;
}

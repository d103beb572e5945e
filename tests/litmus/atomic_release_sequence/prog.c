/* A relaxed update continues a release sequence, a relaxed store of another ends it. */
#include "litmus.h"

static int data;
static atomic_int flag;

THREAD(publish)
{
	data = 42;
	atomic_store_explicit(&flag, 1, memory_order_release);
	return NULL;
}

THREAD(pass_on)
{
#ifdef BROKEN
	if (atomic_load_explicit(&flag, memory_order_relaxed) == 1)
		atomic_store_explicit(&flag, 2, memory_order_relaxed);
#else
	int one = 1;

	atomic_compare_exchange_strong_explicit(&flag, &one, 2, memory_order_relaxed,
						memory_order_relaxed);
#endif
	return NULL;
}

THREAD(use)
{
	if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
		assert(data == 42);
	return NULL;
}

int main(void)
{
	RUN(publish, pass_on, use);
	return 0;
}

/* Relaxed accesses and fences: both fences are needed. */
#include "litmus.h"

static int data;
static atomic_int flag;

THREAD(publish)
{
	data = 42;
#ifdef RELEASE_FENCE
	atomic_thread_fence(memory_order_release);
#endif
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return NULL;
}

THREAD(use)
{
	int seen = atomic_load_explicit(&flag, memory_order_relaxed);

#ifdef ACQUIRE_FENCE
	atomic_thread_fence(memory_order_acquire);
#endif
	if (seen)
		assert(data == 42);
	return NULL;
}

int main(void)
{
	RUN(publish, use);
	return 0;
}

/* A lock of atomic_flag: spins with acquire, clears with release. */
#include "litmus.h"

static atomic_flag is_taken = ATOMIC_FLAG_INIT;
static int value;

THREAD(use)
{
	while (atomic_flag_test_and_set_explicit(&is_taken, memory_order_acquire))
		;
	value++;
	atomic_flag_clear_explicit(&is_taken, memory_order_release);
	return NULL;
}

int main(void)
{
	RUN(use, use);
	assert(value == 2);
	return 0;
}

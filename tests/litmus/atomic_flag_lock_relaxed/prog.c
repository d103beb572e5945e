/* The same lock, cleared with relaxed order, does not order what it guards. */
#include "litmus.h"

static atomic_flag is_taken = ATOMIC_FLAG_INIT;
static int value;

THREAD(use)
{
	while (atomic_flag_test_and_set_explicit(&is_taken, memory_order_acquire))
		;
	value++;
	atomic_flag_clear_explicit(&is_taken, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	RUN(use, use);
	return 0;
}

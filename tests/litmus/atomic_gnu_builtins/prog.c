/* The GNU __sync and __atomic built-ins are atomics, too. */
#include "litmus.h"

static int total;
static int flag;
static int data;
static char lock;

THREAD(add)
{
	__sync_fetch_and_add(&total, 1);
	__sync_add_and_fetch(&total, 1);
	__atomic_fetch_add(&total, 1, __ATOMIC_RELAXED);
	__atomic_nand_fetch(&flag, 1, __ATOMIC_SEQ_CST);
	__sync_synchronize();
	if (__sync_bool_compare_and_swap(&data, 0, 1))
		__sync_lock_test_and_set(&lock, 1);
	return NULL;
}

int main(void)
{
	RUN(add, add);
	assert(__atomic_load_n(&total, __ATOMIC_SEQ_CST) == 6);
	assert(lock == 1 && data == 1);
	__sync_lock_release(&lock);
	return 0;
}

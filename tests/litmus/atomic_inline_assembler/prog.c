/* Atomics made of inline assembler are not seen, and that is said. */
#include "litmus.h"

static int count;

static void add_one(int *number)
{
#ifdef XCHG
	int old = 1;

	__asm__ volatile("xchgl %0, %1" : "+r"(old), "+m"(*number));
#elif defined BARRIER
	__asm__ volatile("rep; nop" : : : "memory");
	__atomic_add_fetch(number, 1, __ATOMIC_SEQ_CST);
#else
	__asm__ volatile("lock ; incl (%0)" : : "r"(number) : "memory", "cc");
#endif
}

THREAD(add)
{
	add_one(&count);
	return NULL;
}

int main(void)
{
	RUN(add, add);
	return 0;
}

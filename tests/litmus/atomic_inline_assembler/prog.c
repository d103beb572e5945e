/* Atomics made of inline assembler are not seen, and that is said; so it is where a lock made
 * of them keeps two apart who seem to race. */
#include "litmus.h"

static int count;
#ifdef OWN_LOCK
static int taken;
#endif

static inline void add_one(int *number)
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

#ifdef OWN_LOCK
THREAD(add)
{
	int old = 1;

	while (old)
		__asm__ volatile("xchgl %0, %1" : "+r"(old), "+m"(taken) : : "memory");
	count++;
	__asm__ volatile("movl $0, %0" : "=m"(taken) : : "memory");
	return NULL;
}
#else
THREAD(add)
{
	add_one(&count);
	return NULL;
}
#endif

int main(void)
{
	RUN(add, add);
	return 0;
}

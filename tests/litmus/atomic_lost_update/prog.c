/* Load and store are atomic, the increment is not; a compare-and-swap loop is. */
#include "litmus.h"

static atomic_int counter;

THREAD(count)
{
	int old = counter;

#if defined(FIXED)
	(void)old;
	atomic_fetch_add(&counter, 1);
#elif defined(CAS)
	while (!atomic_compare_exchange_strong(&counter, &old, old + 1))
		;
#else
	counter = old + 1;
#endif
	return NULL;
}

int main(void)
{
	RUN(count, count);
	assert(counter == 2);
	return 0;
}

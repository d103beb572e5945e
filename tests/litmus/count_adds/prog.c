/* Three relaxed adds whose results nobody uses: one class if they commute, else 3!. */
#include "litmus.h"

static atomic_int total;

THREAD(add)
{
	atomic_fetch_add_explicit(&total, 1, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	RUN(add, add, add);
	assert(total == 3);
	return 0;
}

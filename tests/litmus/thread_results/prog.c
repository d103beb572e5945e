/* Results come through join, from return and from pthread_exit alike. */
#include "litmus.h"

static void leave(intptr_t value)
{
	pthread_exit((void *)value);
}

THREAD(by_return)
{
	return (void *)7;
}

THREAD(by_exit)
{
	leave(8);
	return NULL;
}

int main(void)
{
	pthread_t first = start(by_return), second = start(by_exit);

	assert((intptr_t)join(first) == 7);
	assert((intptr_t)join(second) == 8);
	return 0;
}

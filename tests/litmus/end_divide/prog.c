/* A division by a number that another thread may have made zero. */
#include "litmus.h"

static atomic_int divisor = 2;

THREAD(clear)
{
	divisor = 0;
	return NULL;
}

THREAD(divide)
{
	return (void *)(intptr_t)(100 / divisor);
}

int main(void)
{
	RUN(clear, divide);
	return 0;
}

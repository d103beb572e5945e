/* volatile is not atomic. */
#include "litmus.h"

static volatile int flag;

THREAD(set)
{
	flag = 1;
	return NULL;
}

THREAD(look)
{
	return (void *)(intptr_t)flag;
}

int main(void)
{
	RUN(set, look);
	return 0;
}

/* Two threads print: the order of the lines is an outcome, a line is never torn. */
#include "litmus.h"

THREAD(print)
{
	printf("thread %d\n", (int)(intptr_t)arg);
	return NULL;
}

int main(void)
{
	RUN(print, print);
	return 0;
}

/* Kinds the user does not want are not reported, and hide nothing else. */
#include "litmus.h"

static int counter;

THREAD(count)
{
	counter++;
	return NULL;
}

int main(void)
{
	RUN(count, count);
	assert(counter == 2);
	return 0;
}

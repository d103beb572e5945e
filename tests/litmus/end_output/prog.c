/* Output of any size is captured, and the two results are told apart. */
#include "litmus.h"

static atomic_int x;
static int seen;

THREAD(set)
{
	x = 1;
	return NULL;
}

THREAD(look)
{
	seen = x;
	return NULL;
}

int main(void)
{
	RUN(set, look);
	for (int i = 0; i < 1000; i++)
		printf("line %d of the output of this program\n", i);
	printf("%d\n", seen);
	return 0;
}

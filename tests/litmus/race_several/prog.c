/* One run shows several races at once; each is confirmed, and the search goes on with all of
 * them as visible steps. */
#include "litmus.h"

static int first, second, third;

THREAD(set)
{
	first = 1;
	second = 2;
	third = 3;
	return NULL;
}

THREAD(get)
{
	printf("%d ", first);
	printf("%d ", second);
	printf("%d\n", third);
	return NULL;
}

int main(void)
{
	RUN(set, get);
	return 0;
}

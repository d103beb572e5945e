/* Storing the value that is there already is a store like any other. */
#include "litmus.h"

static atomic_int x, y;

THREAD(store_once)
{
	x = 2;
	return NULL;
}

THREAD(store_often)
{
	y = 0;
	x = 2;
	x = 3;
	return NULL;
}

int main(void)
{
	RUN(store_once, store_often);
	printf("%d\n", x);
	return 0;
}

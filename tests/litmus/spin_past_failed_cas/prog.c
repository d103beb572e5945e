/* A wait whose value comes and goes; the compare-and-swap behind it finds something else and
 * writes nothing, so it is not what the wait races with. */
#include "litmus.h"

static atomic_int level;
static int seen;

THREAD(waiter)
{
	int looks[2] = {0};

	while ((looks[1] = level) < 3)
		;
	for (int i = 0; i < 2; i++)
		seen += looks[i];
	return NULL;
}

THREAD(setter)
{
	int none = 0;

	level = 3;
	level = 2;
	atomic_compare_exchange_strong(&level, &none, 1);
	return NULL;
}

int main(void)
{
	RUN(waiter, setter);
	printf("%d\n", seen);
	return 0;
}

/* A loop that waits for one variable, whose value lets it on, then not, then again: every
 * value it can get on with is seen, by dfs and by dpor. */
#include "litmus.h"

static atomic_int value;
static int seen;

THREAD(change)
{
	value = 1;
	value = 0;
	value = 2;
	value = 0;
	value = 3;
	return NULL;
}

THREAD(await)
{
	int now;

	while ((now = value) == 0)
		;
	seen = now;
	return NULL;
}

int main(void)
{
	RUN(await, change);
	printf("%d\n", seen);
	assert(seen != FORBIDDEN);
	return 0;
}

/* Peterson's lock with the two stores in the wrong order. */
#include "litmus.h"

static atomic_int wants[2];
static atomic_int turn;
static atomic_int inside;

THREAD(use)
{
	int me = (int)(intptr_t)arg, other = 1 - me;

	turn = other;
	wants[me] = 1;
	while (wants[other] && turn == other)
		;
	assert(atomic_fetch_add(&inside, 1) == 0);
	atomic_fetch_sub(&inside, 1);
	wants[me] = 0;
	return NULL;
}

int main(void)
{
	RUN(use, use);
	return 0;
}

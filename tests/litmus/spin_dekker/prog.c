/* Dekker's algorithm with turns; broken, it looks before it raises its flag. */
#include "litmus.h"

static atomic_int wants[2];
static atomic_int turn;
static atomic_int inside;

static void enter(int me)
{
#ifdef BROKEN
	while (wants[1 - me])
		;
	wants[me] = 1;
#else
	wants[me] = 1;
	while (wants[1 - me]) {
		if (turn != me) {
			wants[me] = 0;
			while (turn != me)
				;
			wants[me] = 1;
		}
	}
#endif
}

THREAD(use)
{
	int me = (int)(intptr_t)arg;

	enter(me);
	assert(atomic_fetch_add(&inside, 1) == 0);
	atomic_fetch_sub(&inside, 1);
	turn = 1 - me;
	wants[me] = 0;
	return NULL;
}

int main(void)
{
	RUN(use, use);
	return 0;
}

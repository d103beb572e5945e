/* The value that lets the waiter on is in memory, not in its registers or stack, and changes
 * from one wait to the next. */
#include "litmus.h"

static atomic_int turn;
static int want = 1, left = 4;

static __attribute__((noinline)) void wait_for_turn(void)
{
	while (atomic_load(&turn) != want)
		;
}

static __attribute__((noinline)) void take_turn(void)
{
	wait_for_turn();
	want = 3 - want;
	atomic_store(&turn, 0);
	left--;
}

THREAD(waiter)
{
	while (left)
		take_turn();
	return NULL;
}

THREAD(giver)
{
	for (int i = 0; i < 4; i++) {
		while (atomic_load(&turn))
			;
		atomic_store(&turn, i % 2 + 1);
	}
	return NULL;
}

int main(void)
{
	RUN(waiter, giver);
	return 0;
}

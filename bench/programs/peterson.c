/*
 * Peterson's lock, two threads, N rounds each, a flag asserted in the critical section.
 * 4, 48, 588, 7,360 executions for 1 to 4 rounds, failed turns of the spin discarded.
 */
#include "threads.h"

static atomic_int wants[2];
static atomic_int turn;
static atomic_int inside;
static int rounds;

static void *enter(void *arg)
{
	int me = thread_number(arg), other = 1 - me;

	for (int n = 0; n < rounds; n++) {
		wants[me] = 1;
		turn = other;
		while (wants[other] && turn == other)
			;
		inside = me + 1;
		assert(inside == me + 1);
		wants[me] = 0;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;

	rounds = arg_number(argc, argv, 1, 1);
	threads_start_many(&threads, enter, 2);
	threads_join(&threads);
	return 0;
}

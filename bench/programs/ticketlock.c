/*
 * N threads, M times: take a ticket, spin until it is served, plain critical section,
 * serve the next. N! executions for M=1, 90 for 3x2, failed turns of the spin discarded.
 */
#include "threads.h"

static atomic_int next_ticket;
static atomic_int now_serving;
static int shared;
static int rounds;

static void *enter(void *arg)
{
	(void)arg;
	for (int n = 0; n < rounds; n++) {
		int ticket = atomic_fetch_add(&next_ticket, 1);

		while (now_serving != ticket)
			;
		shared++;
		now_serving = ticket + 1;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;
	int count = arg_number(argc, argv, 1, 3);

	rounds = arg_number(argc, argv, 2, 1);
	threads_start_many(&threads, enter, count);
	threads_join(&threads);
	assert(shared == count * rounds);
	return 0;
}

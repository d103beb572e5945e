/*
 * Two threads, N times: raise the own flag; if the other's is down, the critical section;
 * lower it again. 107, 1,833, 33,147 executions for N = 2, 3, 4.
 */
#include "threads.h"

static atomic_int wants[2];
static atomic_int inside;
static int rounds;

static void *try_to_enter(void *arg)
{
	int me = thread_number(arg), other = 1 - me;

	for (int n = 0; n < rounds; n++) {
		wants[me] = 1;
		if (wants[other] == 0) {
			inside = me + 1;
			assert(inside == me + 1);
		}
		wants[me] = 0;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;

	rounds = arg_number(argc, argv, 1, 2);
	threads_start_many(&threads, try_to_enter, 2);
	threads_join(&threads);
	return 0;
}

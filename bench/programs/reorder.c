/*
 * N setters do a = 1, b = -1; one checker wants to see both or neither. It fails only when
 * the checker reads between the first `a = 1` and the first `b = -1` of all setters.
 */
#include "threads.h"

static atomic_int a;
static atomic_int b;

static void *set(void *arg)
{
	(void)arg;
	a = 1;
	b = -1;
	return NULL;
}

static void *check(void *arg)
{
	int seen_a = a, seen_b = b;

	(void)arg;
	assert((seen_a == 0 && seen_b == 0) || (seen_a == 1 && seen_b == -1));
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;

	threads_start_many(&threads, set, arg_number(argc, argv, 1, 3));
	threads_start(&threads, check, 0);
	threads_join(&threads);
	return 0;
}

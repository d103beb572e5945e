/*
 * i = j = 1; one thread N times i += j, the other N times j += i; main looks at both
 * without joining first. 1,698 executions for N=3, 19,605 for 4, 218,243 for 5.
 */
#include "threads.h"

static atomic_int i = 1;
static atomic_int j = 1;
static int rounds;

static void *add_to_i(void *arg)
{
	(void)arg;
	for (int n = 0; n < rounds; n++) {
		int old = i;

		i = old + j;
	}
	return NULL;
}

static void *add_to_j(void *arg)
{
	(void)arg;
	for (int n = 0; n < rounds; n++) {
		int old = j;

		j = old + i;
	}
	return NULL;
}

static int fibonacci(int n)
{
	int a = 0, b = 1;

	while (n-- > 0) {
		int next = a + b;

		a = b;
		b = next;
	}
	return a;
}

int main(int argc, char **argv)
{
	static struct threads threads;
	int limit, seen_i, seen_j;

	rounds = arg_number(argc, argv, 1, 3);
	limit = fibonacci(2 * rounds + 2);
	threads_start(&threads, add_to_i, 0);
	threads_start(&threads, add_to_j, 0);
	seen_i = i;
	seen_j = j;
	assert(seen_i <= limit && seen_j <= limit);
	threads_join(&threads);
	return 0;
}

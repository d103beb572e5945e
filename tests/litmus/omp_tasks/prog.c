/* One thread makes tasks, any thread runs them. The sum is right after taskwait; without it
 * (EARLY) it is read too soon. With DEPEND the tasks are a chain, with BROKEN a chain that lacks
 * one link. */
#include <assert.h>

static int fib(int n)
{
	int a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fib(n - 1);
	b = fib(n - 2);
#ifndef EARLY
#pragma omp taskwait
#endif
	return a + b;
}

static void chain(int *cell)
{
#pragma omp task depend(out : *cell)
	*cell = 1;
#ifdef BROKEN
#pragma omp task
#else
#pragma omp task depend(inout : *cell)
#endif
	*cell += 2;
#pragma omp task depend(in : *cell)
	assert(*cell == 3);
}

int main(void)
{
	int result = 0, cell = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#if defined(DEPEND) || defined(BROKEN)
		chain(&cell);
#else
		result = fib(2);
#endif
	}
	assert(result <= 1 && (cell == 0 || cell == 3));
	return 0;
}

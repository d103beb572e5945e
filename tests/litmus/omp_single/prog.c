/* single with copyprivate, master, barrier, nested regions and what omp.h says of them. */
#include <assert.h>
#include <omp.h>

static int seen[2];

int main(void)
{
	assert(omp_get_num_threads() == 1 && !omp_in_parallel());
#pragma omp parallel num_threads(2)
	{
		int value = -1, self = omp_get_thread_num();

		assert(omp_get_num_threads() == 2 && omp_in_parallel());
#pragma omp single copyprivate(value)
		value = 7;
		assert(value == 7);
		seen[self] = value;
#ifndef BROKEN
#pragma omp barrier
#endif
#pragma omp master
		assert(seen[0] + seen[1] == 14);
#pragma omp parallel num_threads(2)
		assert(omp_get_num_threads() == 1 && omp_get_ancestor_thread_num(1) == self);
	}
	return 0;
}

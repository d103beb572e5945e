/* Loops whose pieces go to whoever comes first, and a barrier between two of them. Each
 * iteration is run once. With NOWAIT there is no barrier, and the second loop may read what the
 * first has not written. */
#include <assert.h>
#include <stdio.h>

enum { CELLS = 3 };

static int cells[CELLS], sums[CELLS], times[CELLS];

int main(void)
{
	int first_of = 0;

#pragma omp parallel num_threads(2)
	{
#ifdef NOWAIT
#pragma omp for schedule(dynamic) nowait
#else
#pragma omp for schedule(dynamic)
#endif
		for (int i = 0; i < CELLS; i++) {
			cells[i] = i + 1;
			times[i]++;
		}
#pragma omp for schedule(guided, 2)
		for (int i = CELLS - 1; i >= 0; i--)
			sums[i] = cells[i] + cells[(i + 1) % CELLS];
#pragma omp sections
		{
#pragma omp section
			first_of += 1;
		}
	}
	for (int i = 0; i < CELLS; i++)
		assert(times[i] == 1 && sums[i] == i + 1 + (i + 1) % CELLS + 1);
	assert(first_of == 1);
	return 0;
}

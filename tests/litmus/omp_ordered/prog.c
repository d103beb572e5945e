/* The ordered parts of a loop come in the order of the iterations, whichever thread has which. */
#include <assert.h>

int main(void)
{
	int next = 0;

#ifdef BROKEN
#pragma omp parallel for num_threads(2) schedule(dynamic)
#else
#pragma omp parallel for num_threads(2) ordered schedule(dynamic)
#endif
	for (int i = 0; i < 3; i++) {
#ifdef BROKEN
#pragma omp critical
#else
#pragma omp ordered
#endif
		{
			assert(next == i);
			next++;
		}
	}
	assert(next == 3);
	return 0;
}

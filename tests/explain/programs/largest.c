/* The largest of a field: the test is outside of the critical section. */
#include <assert.h>

static int field[2] = {5, 9};
static int largest;

int main(void)
{
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 2; i++) {
		int seen;
#pragma omp atomic read
		seen = largest;
		if (field[i] > seen) {
#pragma omp critical
			largest = field[i];
		}
	}
	assert(largest == 9);
	return 0;
}

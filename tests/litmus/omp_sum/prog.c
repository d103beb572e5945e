/* A sum over a loop that threads share: by reduction, under a critical section, by an atomic
 * update, or with none of them. */
#include <assert.h>

int main(void)
{
	int sum = 0;

#if defined(REDUCTION)
#pragma omp parallel for num_threads(2) reduction(+ : sum)
	for (int i = 0; i < 4; i++)
		sum += i;
#elif defined(CRITICAL)
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 4; i++)
#pragma omp critical
		sum += i;
#elif defined(NAMED)
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 4; i++)
#pragma omp critical(adding)
		sum += i;
#elif defined(ATOMIC)
#pragma omp parallel for num_threads(3)
	for (int i = 0; i < 4; i++)
#pragma omp atomic
		sum += i;
#else
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 4; i++)
		sum += i;
#endif
	assert(sum == 6);
	return 0;
}

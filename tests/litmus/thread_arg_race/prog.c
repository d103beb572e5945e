/* All threads get the address of one loop variable. */
#include "litmus.h"

static atomic_int seen[3];

static void *note(void *arg)
{
	seen[*(int *)arg] = 1;
	return NULL;
}

int main(void)
{
	pthread_t ids[2];
	int numbers[2];
	int number;

	for (number = 0; number < 2; number++) {
#ifdef FIXED
		numbers[number] = number;
		OK(pthread_create(&ids[number], NULL, note, &numbers[number]));
#else
		(void)numbers;
		OK(pthread_create(&ids[number], NULL, note, &number));
#endif
	}
	for (int i = 0; i < 2; i++)
		OK(pthread_join(ids[i], NULL));
	printf("%d %d\n", seen[0], seen[1]);
	return 0;
}

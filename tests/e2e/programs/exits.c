/* Ends with status 3 or 4, depending on which thread is first; no line of the program is special. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first;

static void *claim(void *number)
{
	int nobody = 0;

	atomic_compare_exchange_strong(&first, &nobody, *(int *)number);
	return NULL;
}

int main(void)
{
	static int numbers[2] = {3, 4};
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, claim, &numbers[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return first;
}

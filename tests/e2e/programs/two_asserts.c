/* One schedule loses updates of both counters, and the first assert hides the second. -DFIXED: the
 * first bug is fixed. -DLEAVES: the program leaves with a status where the first assert was. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;

static void *add(void *word)
{
	int a = atomic_load(&first), b = atomic_load(&second);

	atomic_store(&first, a + 1);
	atomic_store(&second, b + 1);
	return word;
}

int main(void)
{
	pthread_t one, two;
	int a, b;

	pthread_create(&one, NULL, add, NULL);
	pthread_create(&two, NULL, add, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	a = atomic_load(&first);
	b = atomic_load(&second);
#if defined(FIXED)
	(void)a;
#elif defined(LEAVES)
	if (a != 2)
		return 3;
#else
	assert(a == 2);
#endif
#ifndef LEAVES
	assert(b == 2);
#endif
	return b == 0;
}

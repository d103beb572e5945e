/* A race that the program says it has on purpose. It is not reported, and its orders are
 * explored: the counter may lose an update, which CHECK makes a bug. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

void AnnotateBenignRaceSized(const char *file, int line, const volatile void *at,
			     unsigned long size, const char *reason);

static int count;

static void *add(void *arg)
{
	int seen = count;

	count = seen + 1;
	return arg;
}

int main(void)
{
	pthread_t threads[2];

	AnnotateBenignRaceSized(__FILE__, __LINE__, &count, sizeof(count), "a statistic");
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
#ifdef CHECK
	assert(count == 2);
#endif
	printf("%d\n", count);
	return 0;
}

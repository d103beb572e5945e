/* A thread may use the block before main frees it. Both are plain accesses, so there is one schedule
 * of steps only. */
#include <pthread.h>
#include <stdlib.h>

static void *read_it(void *block)
{
	return *(int *)block == 7 ? NULL : block;
}

int main(void)
{
	int *block = malloc(sizeof(*block));
	pthread_t reader;

	*block = 7;
	pthread_create(&reader, NULL, read_it, block);
	free(block);
	pthread_join(reader, NULL);
	return 0;
}

/* Threads that create threads; creation and joining order plain accesses. */
#include "litmus.h"

static int leaves[4];

static void *grow_leaf(void *arg)
{
	leaves[(intptr_t)arg]++;
	return NULL;
}

static void *grow_branch(void *arg)
{
	intptr_t first = 2 * (intptr_t)arg;
	pthread_t ids[2];

	for (intptr_t i = 0; i < 2; i++)
		OK(pthread_create(&ids[i], NULL, grow_leaf, (void *)(first + i)));
	for (int i = 0; i < 2; i++)
		OK(pthread_join(ids[i], NULL));
	leaves[first] += leaves[first + 1];
	return NULL;
}

int main(void)
{
	RUN(grow_branch, grow_branch);
	assert(leaves[0] == 2 && leaves[2] == 2);
	return 0;
}

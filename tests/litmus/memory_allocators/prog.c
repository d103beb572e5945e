/* Every way to allocate gives memory that can be used and given back anywhere. */
#include "litmus.h"

static void *blocks[2];

THREAD(allocate)
{
	char *block = calloc(4, 8);
	void *aligned;

	for (int i = 0; i < 32; i++)
		assert(block[i] == 0);
	memset(block, 7, 32);
	block = realloc(block, 4096);
	assert(block[31] == 7);
	OK(posix_memalign(&aligned, 256, 100));
	assert((uintptr_t)aligned % 256 == 0);
	free(aligned);
	aligned = aligned_alloc(64, 128);
	assert((uintptr_t)aligned % 64 == 0);
	free(aligned);
	free(strdup("word"));
	free(malloc(0));
	free(NULL);
	blocks[(intptr_t)arg] = block;
	return NULL;
}

int main(void)
{
	RUN(allocate, allocate);
	assert(blocks[0] != blocks[1]);
	free(blocks[0]);
	free(blocks[1]);
	return 0;
}

/* A list of free blocks. Between the load of the head and the compare-and-swap the other thread takes two
 * blocks and gives the first one back: the head is the same, its successor is not (A-B-A). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { BLOCKS = 3, NONE = -1 };

static struct {
	_Atomic int next, owned;
} blocks[BLOCKS] = {{1, 0}, {2, 0}, {NONE, 0}};
static _Atomic int free_head;

static void block_free(int i)
{
	int head = atomic_load(&free_head);

	atomic_store(&blocks[i].owned, 0);
	do
		atomic_store(&blocks[i].next, head);
	while (!atomic_compare_exchange_strong(&free_head, &head, i));
}

static int block_alloc(void)
{
	int head = atomic_load(&free_head);

	while (head != NONE) {
		int next = atomic_load(&blocks[head].next);

		if (atomic_compare_exchange_strong(&free_head, &head, next)) {
			int was = atomic_exchange(&blocks[head].owned, 1);

			assert(was == 0);
			return head;
		}
	}
	return NONE;
}

static void *reader(void *arg)
{
	block_alloc();
	block_alloc();
	return arg;
}

static void *writer(void *arg)
{
	int mine = block_alloc();

	block_alloc();
	if (mine != NONE)
		block_free(mine);
	return arg;
}

int main(void)
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, reader, NULL);
	pthread_create(&threads[1], NULL, writer, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

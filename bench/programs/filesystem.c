/*
 * 32 inodes and 26 blocks, each with a mutex; thread t takes inode t mod 32 and, if it has
 * no block yet, searches a free one from (2 * inode) mod 26. Up to 13 threads never meet.
 * 2 executions for N=14, 8 for 16, 32 for 18, 128 for 20.
 */
#include "threads.h"

#define INODES 32
#define BLOCKS 26

static pthread_mutex_t inode_locks[INODES];
static pthread_mutex_t block_locks[BLOCKS];
static int inodes[INODES];
static int busy[BLOCKS];

/* Returns whether block was free and is now the inode's. */
static int take_block(int block, int inode)
{
	int was_free;

	pthread_mutex_lock(&block_locks[block]);
	was_free = !busy[block];
	if (was_free) {
		busy[block] = 1;
		inodes[inode] = block + 1;
	}
	pthread_mutex_unlock(&block_locks[block]);
	return was_free;
}

static void *create_file(void *arg)
{
	int inode = thread_number(arg) % INODES;

	pthread_mutex_lock(&inode_locks[inode]);
	if (inodes[inode] == 0) {
		int block = inode * 2 % BLOCKS;

		while (!take_block(block, inode))
			block = (block + 1) % BLOCKS;
	}
	pthread_mutex_unlock(&inode_locks[inode]);
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;

	for (int n = 0; n < INODES; n++)
		pthread_mutex_init(&inode_locks[n], NULL);
	for (int n = 0; n < BLOCKS; n++)
		pthread_mutex_init(&block_locks[n], NULL);
	threads_start_many(&threads, create_file, arg_number(argc, argv, 1, 14));
	threads_join(&threads);
	return 0;
}

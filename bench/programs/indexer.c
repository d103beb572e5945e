/*
 * N threads insert four values each into a hash table of 128 slots with linear probing,
 * each slot's compare-and-set under that slot's mutex. Up to 11 threads never collide.
 * 8 executions for N=12, 64 for 13, 512 for 14, 4,096 for 15.
 */
#include "threads.h"

#define SLOTS 128
#define VALUES 4

static int table[SLOTS];
static pthread_mutex_t locks[SLOTS];

static int claim(int slot, int value)
{
	int was_free;

	pthread_mutex_lock(&locks[slot]);
	was_free = table[slot] == 0;
	if (was_free)
		table[slot] = value;
	pthread_mutex_unlock(&locks[slot]);
	return was_free;
}

static void *insert_values(void *arg)
{
	for (int n = 1; n <= VALUES; n++) {
		int value = n * 11 + thread_number(arg);
		int slot = value * 7 % SLOTS;

		while (!claim(slot, value))
			slot = (slot + 1) % SLOTS;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;

	for (int n = 0; n < SLOTS; n++)
		pthread_mutex_init(&locks[n], NULL);
	threads_start_many(&threads, insert_values, arg_number(argc, argv, 1, 12));
	threads_join(&threads);
	return 0;
}

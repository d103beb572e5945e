/* Workers meet at a barrier that reverses its sense, as the programs of SPLASH-2 do. The loop at
 * the barrier looks at two variables, so its loads are not waits. With COUNTED it counts its
 * turns and yields now and then, so its state is another one in each turn. Without FIXED one
 * round lacks its second barrier: a worker may then overwrite its cell before the neighbour has
 * read it. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { WORKERS = 3, ROUNDS = 4, BROKEN = 2 };

static atomic_int arrived, sense, stop;
static atomic_int cells[WORKERS];

static void wait_for(int mine)
{
#ifdef COUNTED
	unsigned turns = 0;

	while (atomic_load(&sense) != mine)
		if (++turns % 64 == 0)
			sched_yield();
#else
	while (atomic_load(&sense) != mine && !atomic_load(&stop))
		;
#endif
}

static void barrier(int *mine)
{
	*mine = !*mine;
	if (atomic_fetch_add(&arrived, 1) == WORKERS - 1) {
		atomic_store(&arrived, 0);
		atomic_store(&sense, *mine);
	} else {
		wait_for(*mine);
	}
}

static void *work(void *arg)
{
	int self = (int)(long)arg, mine = 0;

	for (int round = 1; round <= ROUNDS; round++) {
		atomic_store(&cells[self], round);
		barrier(&mine);
		assert(atomic_load(&cells[(self + 1) % WORKERS]) == round);
#ifndef FIXED
		if (round != BROKEN)
#endif
			barrier(&mine);
	}
	return arg;
}

int main(void)
{
	pthread_t threads[WORKERS];

	for (long i = 0; i < WORKERS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/* A barrier orders everything before it before everything after it.
 *
 * tso: proved
 * rc11: proved
 * rc11 -DROUNDS=2: proved
 * rc11 -DEARLY: race
 * rc11 -DTHREADS=4: deadlock
 */
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef THREADS
#define THREADS 3
#endif
#include "weak.h"

atomic_int x[ROUNDS + 1];
int plain[3];
pthread_barrier_t barrier;

static void *meet(void *number)
{
	long me = (long)number;

	plain[me] = 1;
	for (int round = 0; round < ROUNDS; round++) {
		ADD_TO(x[round], 1, relaxed);
#ifdef EARLY
		if (plain[(me + 1) % 3])
			return NULL;
#endif
		pthread_barrier_wait(&barrier);
		assert(LOAD_FROM(x[round], relaxed) == 3);
	}
	assert(plain[0] + plain[1] + plain[2] == 3);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];

	pthread_barrier_init(&barrier, NULL, THREADS);
	for (long i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, meet, (void *)i);
	for (long i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&barrier);
	return 0;
}

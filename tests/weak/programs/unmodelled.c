/* Steps that are not modelled together with relaxed atomics: never a proof. Without relaxed atomics
 * they are.
 *
 * tso: unproved
 * rc11: unproved
 * rc11 -DSTRONG: proved
 * rc11 -DSPIN_LOCK: proved
 * tso -DSPIN_LOCK: unproved
 * rc11 -DPIPE: unproved
 * rc11 -DSLEEP=900000000: proved
 * tso -DSLEEP=900000000: proved
 * rc11 -DSLEEP=1000000000: unproved
 * rc11 -DSLEEP=900000000 -DCLOCK: unproved
 * rc11 -DVALUE: unproved
 */
#include <sched.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

#include "weak.h"

#ifdef STRONG
#define LEVEL seq_cst
#else
#define LEVEL relaxed
#endif

atomic_int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_spinlock_t lock;
sem_t semaphore;
int ends[2];

static void wait_somehow(void)
{
	struct timespec at = {1, 0};
	int value;
	char byte = 0;

	(void)value, (void)byte;
#if defined(SPIN_LOCK)
	pthread_spin_lock(&lock);
	pthread_spin_unlock(&lock);
#elif defined(PIPE)
	assert(write(ends[1], &byte, 1) == 1);
	assert(read(ends[0], &byte, 1) == 1);
#elif defined(SLEEP)
	at = (struct timespec){SLEEP / 1000000000, SLEEP % 1000000000};
	nanosleep(&at, NULL);
	sched_yield();
#ifdef CLOCK
	clock_gettime(CLOCK_MONOTONIC, &at);
#endif
#elif defined(VALUE)
	sem_getvalue(&semaphore, &value);
#else
	if (pthread_mutex_timedlock(&mutex, &at) == 0)
		pthread_mutex_unlock(&mutex);
#endif
}

static void *first(void *unused)
{
	STORE_TO(x, 1, LEVEL);
	wait_somehow();
	return unused;
}

static void *second(void *unused)
{
	wait_somehow();
	assert(LOAD_FROM(x, LEVEL) <= 1);
	return unused;
}

int main(void)
{
	pthread_t threads[2];

	pthread_spin_init(&lock, 0);
	assert(pipe(ends) == 0);
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}

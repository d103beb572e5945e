/* A barrier made of a counter: a fast thread comes back before the slow one has looked, and both wait. */
#include <pthread.h>

enum { THREADS = 2, PHASES = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int arrived;

static void *simulate(void *arg)
{
	for (int phase = 0; phase < PHASES; phase++) {
		pthread_mutex_lock(&mutex);
		arrived++;
		if (arrived == THREADS) {
			arrived = 0;
			pthread_cond_broadcast(&all_here);
		} else {
			while (arrived != 0)
				pthread_cond_wait(&all_here, &mutex);
		}
		pthread_mutex_unlock(&mutex);
	}
	return arg;
}

int main(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, simulate, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

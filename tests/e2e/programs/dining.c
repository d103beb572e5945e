/* Three philosophers, each with the left fork. With GUEST a thread that was there before them waits for a
 * fork, too, but nobody waits for it. */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
				   PTHREAD_MUTEX_INITIALIZER};
static sem_t seated;

static void *eat(void *place)
{
	long left = (long)place, right = (left + 1) % 3;

	pthread_mutex_lock(&forks[left]);
	if (left == 0)
		sem_post(&seated);
	pthread_mutex_lock(&forks[right]);
	pthread_mutex_unlock(&forks[right]);
	pthread_mutex_unlock(&forks[left]);
	return NULL;
}

static void *visit(void *unused)
{
	sem_wait(&seated);
	pthread_mutex_lock(&forks[0]);
	pthread_mutex_unlock(&forks[0]);
	return unused;
}

int main(void)
{
	pthread_t threads[4];
	int len = 0;

	sem_init(&seated, 0, 0);
#ifdef GUEST
	pthread_create(&threads[len++], NULL, visit, NULL);
#endif
	(void)visit;
	for (long i = 0; i < 3; i++)
		pthread_create(&threads[len++], NULL, eat, (void *)i);
	while (len)
		pthread_join(threads[--len], NULL);
	return 0;
}

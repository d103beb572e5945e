/* Two threads wait for one semaphore, and the second post comes only after one of them, first, has
 * gone on. If second takes the first post, all threads wait for ever. In the run in which first takes
 * it, the wait of second needs an event that comes after that: the order of the two waits was thought
 * to be fixed. */
#include <pthread.h>
#include <semaphore.h>

static sem_t work, answer;

static void *first(void *unused)
{
	sem_wait(&work);
	sem_post(&answer);
	return unused;
}

static void *second(void *unused)
{
	sem_wait(&work);
#ifdef FIXED
	sem_post(&answer);
#endif
	return unused;
}

static void *poster(void *unused)
{
	sem_post(&work);
	sem_wait(&answer);
	sem_post(&work);
	return unused;
}

int main(void)
{
	void *(*const starts[])(void *) = {first, second, poster};
	pthread_t threads[3];

	sem_init(&work, 0, 0);
	sem_init(&answer, 0, 0);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, starts[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/* Producer and consumer with two semaphores and a lock, taken in the wrong order. */
#include <pthread.h>
#include <semaphore.h>

enum { SLOTS = 1 };

static sem_t empty, full, access_lock;
static int slots[SLOTS], used;

static void *produce(void *arg)
{
	for (int i = 0; i < 2; i++) {
		sem_wait(&access_lock);
		sem_wait(&empty);
		slots[used++] = i + *(int *)arg;
		sem_post(&full);
		sem_post(&access_lock);
	}
	return NULL;
}

static void *consume(void *arg)
{
	for (int i = 0; i < 2; i++) {
		sem_wait(&full);
		sem_wait(&access_lock);
		*(int *)arg += slots[--used];
		sem_post(&access_lock);
		sem_post(&empty);
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	int start = 5, sum = 0;
	sem_init(&empty, 0, SLOTS);
	sem_init(&full, 0, 0);
	sem_init(&access_lock, 0, 1);
	pthread_create(&a, NULL, produce, &start);
	pthread_create(&b, NULL, consume, &sum);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}

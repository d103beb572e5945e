/* Two threads look again and again, under one mutex, for jobs that nobody makes. */
#include <pthread.h>

struct queue {
	pthread_mutex_t lock;
	int jobs;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *serve(void *unused)
{
	pthread_mutex_lock(&queue.lock);
	while (queue.jobs == 0) {
		pthread_mutex_unlock(&queue.lock);
		pthread_mutex_lock(&queue.lock);
	}
	queue.jobs--;
	pthread_mutex_unlock(&queue.lock);
	return unused;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, serve, NULL);
	pthread_create(&two, NULL, serve, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}

/* Correct, with far more schedules than any test explores. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *unused)
{
	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(&lock);
		count++;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[5];

	for (int i = 0; i < 5; i++)
		pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 5; i++)
		pthread_join(threads[i], NULL);
	return count != 50;
}

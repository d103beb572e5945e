/* Three threads try for one lock in a loop, so that many runs are cut in a void turn. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *unused)
{
	for (int i = 0; i < 3; i++) {
		while (pthread_mutex_trylock(&lock) != 0)
			;
		count++;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return count != 9;
}

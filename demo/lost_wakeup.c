/*
 * The baker rings when the bread is ready; the customer looks, and then waits for the bell.
 * Between the look and the wait the lock is not held: a bell rung there wakes nobody.
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t bell = PTHREAD_COND_INITIALIZER;
static int is_ready;

static int look(void)
{
	int ready;

	pthread_mutex_lock(&lock);
	ready = is_ready;
	pthread_mutex_unlock(&lock);
	return ready;
}

static void *bake(void *arg)
{
	pthread_mutex_lock(&lock);
	is_ready = 1;
	pthread_cond_signal(&bell);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *wait_for_bread(void *arg)
{
	if (!look()) {
		pthread_mutex_lock(&lock);
		pthread_cond_wait(&bell, &lock);
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(void)
{
	pthread_t baker, customer;

	pthread_create(&baker, NULL, bake, NULL);
	pthread_create(&customer, NULL, wait_for_bread, NULL);
	pthread_join(baker, NULL);
	pthread_join(customer, NULL);
	return 0;
}

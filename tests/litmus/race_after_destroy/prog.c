/* Each thread has destroyed a lock of its own before it counts. A lock that was destroyed is not
 * held: the report says so. */
#include "litmus.h"

static int counter;

THREAD(count)
{
	pthread_mutex_t lock;

	pthread_mutex_init(&lock, NULL);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	pthread_mutex_destroy(&lock);
	counter++;
	return NULL;
}

int main(void)
{
	RUN(count, count);
	return counter > 2;
}

/* A bug of timing that nearly every schedule shows: main looks at the count before it joins the
 * thread that counts. Only the schedules in which the thread has ended by then pass. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *arg)
{
	for (int i = 0; i < 12; i++) {
		pthread_mutex_lock(&lock);
		count++;
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	pthread_mutex_lock(&lock);
	assert(count == 12);
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
	return 0;
}

/* Ends with a failure whatever the threads do; with -DTIMING only when one of them is late. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *work(void *arg)
{
	atomic_store(&done, 1);
	return arg;
}

int main(void)
{
	pthread_t thread;
	int failed = 1;

	pthread_create(&thread, NULL, work, NULL);
#ifdef TIMING
	failed = !atomic_load(&done);
#endif
	pthread_join(thread, NULL);
	return failed ? 3 : 0;
}

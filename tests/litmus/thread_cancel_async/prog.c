/* A thread that can be cancelled at any instruction: between the two counters, too. That is not
 * modelled, and the verdict has to say so. */
#include <pthread.h>

static int first, second;

static void *work(void *arg)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	for (int i = 0; i < 3; i++) {
		first++;
		second++;
	}
	return arg;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	pthread_cancel(thread);
	pthread_join(thread, NULL);
	return first != second;
}

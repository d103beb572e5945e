/* A thread computes for ever, without a visible step: no run comes to its end. */
#include <pthread.h>

static void *compute(void *unused)
{
	for (volatile unsigned i = 0;; i++)
		;
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, compute, NULL);
	pthread_join(thread, NULL);
	return 0;
}

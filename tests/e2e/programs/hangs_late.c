/* Hangs in some schedules: in a loop without a visible step. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *write_twice(void *arg)
{
	atomic_store(&x, 1);
	atomic_store(&x, 2);
	return arg;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, write_twice, NULL);
	if (atomic_load(&x) == 1)
		for (volatile unsigned i = 0;; i++) /* here */
			;
	pthread_join(thread, NULL);
	return 0;
}

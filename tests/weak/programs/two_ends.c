/* Two threads end the program without a word to each other: which of them is first is not explored.
 * sc: abnormal-exit
 * rc11: unproved
 * tso: unproved
 * rc11 by pos: abnormal-exit
 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int x, y;

static void *fine(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	_exit(0);
	return arg;
}

static void *wrong(void *arg)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	_exit(1);
	return arg;
}

int main(void)
{
	pthread_t first, second;

	pthread_create(&first, NULL, fine, NULL);
	pthread_create(&second, NULL, wrong, NULL);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	return 0;
}

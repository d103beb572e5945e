/* Two bugs of one function with the same status. -DMENDED: only the second is left. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;

static void *set(void *arg)
{
	x = 1;
	x = 0;
	y = 1;
	y = 0;
	return arg;
}

static void *look(void *arg)
{
#ifndef MENDED
	if (atomic_load(&x) == 1) exit(3);
#endif
	if (atomic_load(&y) == 1) exit(3);
	return arg;
}

int main(void)
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, set, NULL);
	pthread_create(&threads[1], NULL, look, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}

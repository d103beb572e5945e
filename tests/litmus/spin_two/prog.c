/* Two threads wait for values that nobody writes. In every schedule both go round for ever. */
#include <pthread.h>

static volatile int door, beside;

static void *first(void *arg)
{
	while (door != 1)
		;
	return arg;
}

static void *second(void *arg)
{
	beside = 1;
	while (door != 2)
		;
	return arg;
}

int main(void)
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	beside = 0;
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}

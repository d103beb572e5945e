/* Two atomic steps where one was meant: fails on some schedules only. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int counter;

static void *count(void *arg)
{
	int old = counter;

	counter = old + 1;
	return arg;
}

int main(void)
{
	pthread_t ids[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&ids[i], NULL, count, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(ids[i], NULL);
	assert(counter == 2);
	return 0;
}

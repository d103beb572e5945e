/* Fails whatever the schedule, after long work without a visible step: a run takes some
 * tenths of a second; with -DROUNDS=… another time. */
#include <assert.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 10000000
#endif

static volatile unsigned long work;

static void *add(void *unused)
{
	for (unsigned long i = 0; i < ROUNDS; i++)
		work += i;
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	pthread_create(&thread, NULL, add, NULL);
	pthread_join(thread, NULL);
	assert(argc == 2);
	return 0;
}

/* Fails whatever the schedule, after long work without a visible step: a run takes some
 * tenths of a second. */
#include <assert.h>
#include <pthread.h>

static volatile unsigned long work;

static void *add(void *unused)
{
	for (unsigned long i = 0; i < 10000000; i++)
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

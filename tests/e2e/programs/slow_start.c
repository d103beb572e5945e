/* Works for some tenths of a second before its first thread, then fails. */
#include <assert.h>
#include <pthread.h>

static volatile unsigned long sum;

static void *work(void *unused)
{
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	for (unsigned long i = 0; i < 40000000; i++)
		sum += i;
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	assert(argc == 2);
	return 0;
}

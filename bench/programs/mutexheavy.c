/* N threads, M times lock, plain increment, unlock: (NM)! / (M!)^N executions. */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static int rounds;

static void *count_up(void *arg)
{
	(void)arg;
	for (int n = 0; n < rounds; n++) {
		pthread_mutex_lock(&lock);
		counter++;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;
	int count = arg_number(argc, argv, 1, 3);

	rounds = arg_number(argc, argv, 2, 2);
	threads_start_many(&threads, count_up, count);
	threads_join(&threads);
	assert(counter == count * rounds);
	return 0;
}

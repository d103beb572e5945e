/*
 * N threads set a value under one lock and what follows from it under a second one; a
 * reader that comes between the two stages sees the first without the second. Every access
 * is locked, so there is no data race to be seen.
 */
#include "threads.h"

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first;
static int second;

static void *update(void *arg)
{
	int mine;

	(void)arg;
	pthread_mutex_lock(&first_lock);
	mine = first = 1;
	pthread_mutex_unlock(&first_lock);
	pthread_mutex_lock(&second_lock);
	second = mine + 1;
	pthread_mutex_unlock(&second_lock);
	return NULL;
}

static void *read_both(void *arg)
{
	int seen_first, seen_second;

	(void)arg;
	pthread_mutex_lock(&first_lock);
	seen_first = first;
	pthread_mutex_unlock(&first_lock);
	if (seen_first == 0)
		return NULL;
	pthread_mutex_lock(&second_lock);
	seen_second = second;
	pthread_mutex_unlock(&second_lock);
	assert(seen_second == seen_first + 1);
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;

	threads_start_many(&threads, update, arg_number(argc, argv, 1, 2));
	threads_start(&threads, read_both, 0);
	threads_join(&threads);
	return 0;
}

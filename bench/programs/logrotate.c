/*
 * A server log is closed and opened anew by one thread, in two critical sections, while
 * others write to it: an entry that comes between is lost. -DFIXED: one section.
 */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_open = 1;
static int logged;
static int lost;

static void *rotate(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	is_open = 0;
#ifndef FIXED
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
#endif
	is_open = 1;
	pthread_mutex_unlock(&lock);
	do_chores();
	return NULL;
}

static void *write_entry(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	if (is_open)
		logged++;
	else
		lost++;
	pthread_mutex_unlock(&lock);
	do_chores();
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;
	int writers = arg_number(argc, argv, 1, 2);

	threads_start_many(&threads, write_entry, writers);
	threads_start(&threads, rotate, 0);
	threads_join(&threads);
	assert(logged == writers && lost == 0);
	return 0;
}

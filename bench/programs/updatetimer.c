/*
 * The pointer to a timer is tested in one critical section and used in the next; a thread
 * that cancels the timer in between makes it a null dereference. -DFIXED: one section.
 */
#include "threads.h"

struct timer {
	int due;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct timer the_timer;
static struct timer *timer = &the_timer;

static void *update(void *arg)
{
	int is_set;

	pthread_mutex_lock(&lock);
	is_set = timer != NULL;
#ifndef FIXED
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
#endif
	if (is_set)
		timer->due = thread_number(arg);
	pthread_mutex_unlock(&lock);
	do_chores();
	return NULL;
}

static void *cancel(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	timer = NULL;
	pthread_mutex_unlock(&lock);
	do_chores();
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;

	threads_start_many(&threads, update, arg_number(argc, argv, 1, 2));
	threads_start(&threads, cancel, 0);
	threads_join(&threads);
	return 0;
}

/*
 * A list is asked for its length, then for its last item; in between another thread may
 * have shortened it, and the index is out of range. -DFIXED: both under one lock.
 */
#include "threads.h"

#define ITEMS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[ITEMS] = { 10, 20, 30 };
static int len = ITEMS;

static int item_at(int index)
{
	assert(index < len);
	return items[index];
}

static void *seek_last(void *arg)
{
	int last;

	(void)arg;
	pthread_mutex_lock(&lock);
	last = len - 1;
#ifndef FIXED
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
#endif
	if (last >= 0)
		(void)item_at(last);
	pthread_mutex_unlock(&lock);
	do_chores();
	return NULL;
}

static void *drop_last(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	if (len > 0)
		items[--len] = 0;
	pthread_mutex_unlock(&lock);
	do_chores();
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;

	threads_start(&threads, seek_last, 0);
	threads_start_many(&threads, drop_last, arg_number(argc, argv, 1, 1));
	threads_join(&threads);
	return 0;
}

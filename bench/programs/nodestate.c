/*
 * A worker may finish a node before its creator has marked it as started; the mark then
 * overwrites the end, and the node looks busy for ever. -DFIXED: marked before the worker
 * is started.
 */
#include "threads.h"

enum { NODE_NEW, NODE_STARTED, NODE_DONE };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int state = NODE_NEW;

static void set_state(int to)
{
	pthread_mutex_lock(&lock);
	state = to;
	pthread_mutex_unlock(&lock);
}

static void *finish_node(void *arg)
{
	(void)arg;
	set_state(NODE_DONE);
	do_chores();
	return NULL;
}

static void *idle(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	do_chores();
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;

#ifdef FIXED
	set_state(NODE_STARTED);
#endif
	threads_start(&threads, finish_node, 0);
	threads_start_many(&threads, idle, arg_number(argc, argv, 1, 1));
#ifndef FIXED
	set_state(NODE_STARTED);
#endif
	threads_join(&threads);
	assert(state == NODE_DONE);
	return 0;
}

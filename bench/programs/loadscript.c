/*
 * A script is loaded in one critical section and compiled in the next; a second loader
 * between the two replaces it, and the first compiles what it has not loaded. -DFIXED: one
 * section.
 */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int current_script;
static int wrong;

static void *load_and_compile(void *arg)
{
	int script = thread_number(arg) + 1;

	pthread_mutex_lock(&lock);
	current_script = script;
#ifndef FIXED
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
#endif
	if (current_script != script)
		wrong++;
	pthread_mutex_unlock(&lock);
	do_chores();
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;

	threads_start_many(&threads, load_and_compile, arg_number(argc, argv, 1, 2));
	threads_join(&threads);
	assert(wrong == 0);
	return 0;
}

/*
 * A connection is closed by whoever brings its count of users to zero, but the count is
 * taken down in one step and looked at in the next: two can see zero, and it is closed
 * twice. -DFIXED: the result of the one step decides.
 */
#include "threads.h"

static atomic_int users;
static atomic_int closed;

static void close_connection(void)
{
	assert(atomic_fetch_add(&closed, 1) == 0);
}

static void *leave(void *arg)
{
	(void)arg;
#ifdef FIXED
	if (atomic_fetch_sub(&users, 1) == 1)
		close_connection();
#else
	atomic_fetch_sub(&users, 1);
	if (users == 0)
		close_connection();
#endif
	do_chores();
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;
	int count = arg_number(argc, argv, 1, 2);

	users = count;
	threads_start_many(&threads, leave, count);
	threads_join(&threads);
	assert(closed == 1);
	return 0;
}

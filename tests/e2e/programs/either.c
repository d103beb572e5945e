/* Fails in every schedule, but the order of two steps decides in which way: each of the two
 * assertions is a bug of timing. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int is_open;

static void *open_door(void *arg)
{
	is_open = 1;
	return arg;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, open_door, NULL);
	if (is_open)
		assert(!"too late");
	else
		assert(!"too early");
	pthread_join(thread, NULL);
	return 0;
}

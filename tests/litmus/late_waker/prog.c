/* Thread 3 and main meet at y, threads 1 and 3 at a mutex, all three threads at x. The assertion
 * fails only if thread 3 takes the mutex first, has read y before main adds to it, and thread 2's
 * store to x lies between thread 3's load and store. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static volatile atomic_int z; /* never read: without volatile clang leaves out its stores */
static int order, first_seen, third_seen;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg)
{
	first_seen = x;
	if (!first_seen)
		first_seen = 10 * x;
	z = 1;
	pthread_mutex_lock(&m);
	order = order * 2 + 1;
	pthread_mutex_unlock(&m);
	return arg;
}

static void *second(void *arg)
{
	z = 2;
	x = 2;
	return arg;
}

static void *third(void *arg)
{
	int seen = x;

	pthread_mutex_lock(&m);
	order = order * 2 + 3;
	pthread_mutex_unlock(&m);
	third_seen = seen * 3 + y;
	x = 1;
	return arg;
}

int main(void)
{
	void *(*start[])(void *) = {first, second, third};
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, start[i], NULL);
	atomic_fetch_add(&y, 2);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	assert(!(x == 1 && order == 7 && first_seen == 1 && third_seen == 0));
	return 0;
}

/* Fails at one of two asserts of equal text in one function (asserts), leaves with one status in one
 * of two functions (exits), or stays in one of two loops (first, second). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int started, done;
static volatile int go_on;

static void *work(void *unused)
{
	atomic_store(&started, 1);
	atomic_store(&done, 1);
	return unused;
}

static void check(int is_done, int is_started)
{
	if (is_done) {
		assert(!is_started);
	} else {
		assert(!is_started);
	}
}

static __attribute__((noinline)) void leave_early(void)
{
	atomic_load(&done);
	exit(3);
}

static __attribute__((noinline)) void leave_late(void)
{
	atomic_load(&done);
	exit(3);
}

static __attribute__((noinline)) void stay_first(void)
{
	while (!go_on)
		;
}

static __attribute__((noinline)) void stay_second(void)
{
	while (!go_on)
		;
}

int main(int argc, char **argv)
{
	const char *deed = argc > 1 ? argv[1] : "asserts";
	int is_started, is_done;
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	is_started = atomic_load(&started);
	is_done = atomic_load(&done);
	if (strcmp(deed, "asserts") == 0)
		check(is_done, is_started);
	else if (strcmp(deed, "exits") == 0)
		is_done ? leave_late() : leave_early();
	else if (strcmp(deed, "first") == 0)
		stay_first();
	else
		stay_second();
	pthread_join(thread, NULL);
	return 0;
}

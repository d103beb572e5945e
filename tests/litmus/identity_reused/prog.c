/* A lock that knows its owner by pthread_t and is not given back when its owner ends. The next thread
 * may get the same pthread_t, and then takes itself for the owner. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_t owner;
static bool is_owned;

static bool take(void)
{
	bool is_taken;

	pthread_mutex_lock(&guard);
	is_taken = !is_owned || pthread_equal(owner, pthread_self());
	if (is_taken) {
		owner = pthread_self();
		is_owned = true;
	}
	pthread_mutex_unlock(&guard);
	return is_taken;
}

static void *first(void *unused)
{
	take();
	return unused;
}

static void *second(void *unused)
{
	assert(!take());
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, first, NULL);
#ifndef BOTH
	pthread_join(thread, NULL);
	pthread_create(&thread, NULL, second, NULL);
	pthread_join(thread, NULL);
#else
	pthread_t other;

	pthread_create(&other, NULL, first, NULL);
	pthread_join(thread, NULL);
	pthread_join(other, NULL);
#endif
	return 0;
}

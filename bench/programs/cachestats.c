/*
 * Hits and misses of a cache are counted under one lock each; who asks for the rate reads
 * them one after the other and sees more answers than questions. -DFIXED: one lock for
 * both.
 */
#include "threads.h"

static pthread_mutex_t asked_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t hit_lock = PTHREAD_MUTEX_INITIALIZER;
static int asked;
static int hits;

#ifdef FIXED
#define HIT_LOCK asked_lock
#else
#define HIT_LOCK hit_lock
#endif

static int add_locked(pthread_mutex_t *lock, int *counter, int more)
{
	int value;

	pthread_mutex_lock(lock);
	value = *counter += more;
	pthread_mutex_unlock(lock);
	return value;
}

static void *look_up(void *arg)
{
	(void)arg;
	add_locked(&asked_lock, &asked, 1);
	add_locked(&HIT_LOCK, &hits, 1);
	do_chores();
	return NULL;
}

static void *show_rate(void *arg)
{
	int seen_asked, seen_hits;

	(void)arg;
#ifdef FIXED
	pthread_mutex_lock(&asked_lock);
	seen_asked = asked;
	seen_hits = hits;
	pthread_mutex_unlock(&asked_lock);
	(void)hit_lock;
#else
	seen_asked = add_locked(&asked_lock, &asked, 0);
	seen_hits = add_locked(&HIT_LOCK, &hits, 0);
#endif
	assert(seen_hits <= seen_asked);
	do_chores();
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;

	threads_start_many(&threads, look_up, arg_number(argc, argv, 1, 2));
	threads_start(&threads, show_rate, 0);
	threads_join(&threads);
	return 0;
}

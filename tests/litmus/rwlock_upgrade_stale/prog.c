/* The read lock is given up before the write lock is taken; what was read is stale. */
#include "litmus.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int is_loaded;
static int loads;

static bool look(void)
{
	bool seen;

	pthread_rwlock_rdlock(&lock);
	seen = is_loaded;
	pthread_rwlock_unlock(&lock);
	return seen;
}

THREAD(load_once)
{
	if (look())
		return NULL;
	pthread_rwlock_wrlock(&lock);
#ifdef FIXED
	if (!is_loaded)
#endif
		loads++;
	is_loaded = 1;
	pthread_rwlock_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(load_once, load_once);
	assert(loads == 1);
	return 0;
}

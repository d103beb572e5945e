/* Each thread sees its own value; the destructor gets it when the thread ends. */
#include "litmus.h"

static pthread_key_t key;
static atomic_int destroyed;

static void destroy(void *value)
{
	atomic_fetch_add(&destroyed, (int)(intptr_t)value);
}

THREAD(use)
{
	void *mine = (void *)((intptr_t)arg + 1);

	assert(pthread_getspecific(key) == NULL);
	OK(pthread_setspecific(key, mine));
	sched_yield();
	assert(pthread_getspecific(key) == mine);
	return NULL;
}

int main(void)
{
	OK(pthread_key_create(&key, destroy));
	RUN(use, use);
	assert(destroyed == 3);
	OK(pthread_key_delete(key));
	return 0;
}

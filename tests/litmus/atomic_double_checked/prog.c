/* Double-checked locking: the first check must be an acquire of an atomic. */
#include "litmus.h"

struct config {
	int size;
};

#ifdef FIXED
static struct config *_Atomic instance;
#else
static struct config *instance;
#endif
static struct config the_config;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct config *get_config(void)
{
	if (instance == NULL) {
		pthread_mutex_lock(&lock);
		if (instance == NULL) {
			the_config.size = 7;
			instance = &the_config;
		}
		pthread_mutex_unlock(&lock);
	}
	return instance;
}

THREAD(use)
{
	assert(get_config()->size == 7);
	return NULL;
}

int main(void)
{
	RUN(use, use);
	return 0;
}

/* A thread ends without unlocking, on one path. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items = 1;

THREAD(take_item)
{
	pthread_mutex_lock(&lock);
	if (items == 0) {
#ifdef FIXED
		pthread_mutex_unlock(&lock);
#endif
		return NULL;
	}
	items--;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(take_item, take_item);
	return 0;
}

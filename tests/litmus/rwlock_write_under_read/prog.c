/* Counting hits under the read lock: two readers do it at once. */
#include "litmus.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits;

THREAD(look_up)
{
#ifdef FIXED
	pthread_rwlock_wrlock(&lock);
#else
	pthread_rwlock_rdlock(&lock);
#endif
	hits++;
	pthread_rwlock_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(look_up, look_up);
	return 0;
}

/* Unlocking a read-write lock that nobody holds. */
#include "litmus.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

THREAD(use)
{
	pthread_rwlock_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(use);
	return 0;
}

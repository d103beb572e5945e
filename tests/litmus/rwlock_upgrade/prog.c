/* Two readers want to become writers, and neither gives up reading. */
#include "litmus.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

THREAD(upgrade)
{
	pthread_rwlock_rdlock(&lock);
	if (value == 0) {
#ifdef FIXED
		pthread_rwlock_unlock(&lock);
#endif
		pthread_rwlock_wrlock(&lock);
		value = 1;
#ifndef FIXED
		pthread_rwlock_unlock(&lock);
#endif
	}
	pthread_rwlock_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(upgrade, upgrade);
	return 0;
}

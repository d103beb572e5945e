/* Unlocking a normal mutex that nobody holds. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

THREAD(use)
{
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(use);
	return 0;
}

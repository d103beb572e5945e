/* Unlocking a spin lock that is free. */
#include "litmus.h"

static pthread_spinlock_t lock;

THREAD(use)
{
	pthread_spin_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	RUN(use);
	return 0;
}

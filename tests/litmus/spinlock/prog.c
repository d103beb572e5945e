/* pthread_spin_lock: mutual exclusion, 3! orders, no spinning in sight. */
#include "litmus.h"

static pthread_spinlock_t lock;
static int value;

THREAD(use)
{
	pthread_spin_lock(&lock);
	value++;
	pthread_spin_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	RUN(use, use, use);
	assert(value == 3);
	pthread_spin_destroy(&lock);
	return 0;
}

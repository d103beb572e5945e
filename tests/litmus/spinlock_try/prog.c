/* spin_trylock: EBUSY or not, both are seen. */
#include "litmus.h"

static pthread_spinlock_t lock;
static int result;

THREAD(hold)
{
	pthread_spin_lock(&lock);
	pthread_spin_unlock(&lock);
	return NULL;
}

THREAD(try)
{
	result = pthread_spin_trylock(&lock);
	assert(result == 0 || result == EBUSY);
	if (result == 0)
		pthread_spin_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	RUN(hold, try);
	puts(result == 0 ? "free" : "busy");
	return 0;
}

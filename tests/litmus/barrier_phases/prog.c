/* A write before the barrier is seen behind it; one thread is the serial one. */
#include "litmus.h"

static pthread_barrier_t barrier;
static int parts[2];
static atomic_int serials;

THREAD(work)
{
	int me = (int)(intptr_t)arg, result;

	parts[me] = me + 1;
	result = pthread_barrier_wait(&barrier);
	assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
	serials += result == PTHREAD_BARRIER_SERIAL_THREAD;
	assert(parts[0] + parts[1] == 3);
	return NULL;
}

int main(void)
{
	OK(pthread_barrier_init(&barrier, NULL, 2));
	RUN(work, work);
	assert(serials == 1);
	OK(pthread_barrier_destroy(&barrier));
	return 0;
}

/* With cancellation disabled the request waits; pthread_testcancel then takes it. */
#include "litmus.h"

static atomic_int reached;

THREAD(work)
{
	int old;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	pthread_testcancel();
	reached = 1;
	pthread_setcancelstate(old, NULL);
	for (;;)
		pthread_testcancel();
	return NULL;
}

int main(void)
{
	pthread_t id;

	id = start(work);
	while (!reached)
		sched_yield();
	OK(pthread_cancel(id));
	assert(join(id) == PTHREAD_CANCELED);
	return 0;
}

/* Two threads join the same third: only one may. */
#include "litmus.h"

static pthread_t worker;
static atomic_int joined;

THREAD(work)
{
	return NULL;
}

THREAD(join_worker)
{
#ifdef FIXED
	if (atomic_exchange(&joined, 1))
		return NULL;
#else
	(void)joined;
#endif
	pthread_join(worker, NULL);
	return NULL;
}

int main(void)
{
	worker = start(work);
	RUN(join_worker, join_worker);
	return 0;
}

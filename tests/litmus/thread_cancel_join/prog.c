/* A thread is cancelled while it joins another. If the other has ended by then, either may come
 * first; the thread that was not joined must be joined by main. The search learns in
 * its middle that ends of threads are steps here: the run that looks whether memory is put back
 * tells it. */
#include "litmus.h"

static pthread_t other;
static atomic_int steps;

THREAD(work)
{
	atomic_fetch_add(&steps, 1);
	return NULL;
}

THREAD(join_other)
{
	pthread_join(other, NULL);
	atomic_fetch_add(&steps, 10);
	return NULL;
}

int main(void)
{
	pthread_t joiner;
	void *result;

	other = start(work);
	joiner = start(join_other);
	pthread_cancel(joiner);
	pthread_join(joiner, &result);
#ifdef FIXED
	if (result == PTHREAD_CANCELED)
		pthread_join(other, NULL);
#endif
	(void)result;
	assert(atomic_load(&steps) == 11 || atomic_load(&steps) == 1);
	return 0;
}

/* Whether pthread_tryjoin_np() comes too early depends on the other thread's end, which is not a step of an
 * execution graph: under a weak memory model it is not a proof. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *store(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	int failed;

	pthread_create(&thread, NULL, store, NULL);
	failed = pthread_tryjoin_np(thread, NULL);
	assert(failed); /* wrong: the thread may have ended */
	pthread_join(thread, NULL);
	return 0;
}

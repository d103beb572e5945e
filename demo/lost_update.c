/*
 * Two clerks book into one account. Each access is atomic, the booking is not: what one
 * books between the other's load and store is lost. -DFIXED: a booking is one step.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int balance;

static void *book(void *arg)
{
	(void)arg;
#ifdef FIXED
	atomic_fetch_add(&balance, 10);
#else
	int old = atomic_load(&balance);

	atomic_store(&balance, old + 10);
#endif
	return NULL;
}

int main(void)
{
	pthread_t clerks[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&clerks[i], NULL, book, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(clerks[i], NULL);
	assert(balance == 20);
	return 0;
}

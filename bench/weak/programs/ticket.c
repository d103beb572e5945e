/* ticket.c: each thread takes a ticket lock once. N! graphs. */
#include "threads.h"

atomic_int next, owner;
int data;

static void *thread_of(void *arg)
{
	int mine = atomic_fetch_add_explicit(&next, 1, RLX);

	(void)arg;
	while (atomic_load_explicit(&owner, memory_order_acquire) != mine)
		;
	data++;
	atomic_store_explicit(&owner, mine + 1, memory_order_release);
	return NULL;
}

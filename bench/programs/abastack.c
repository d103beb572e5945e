/*
 * A bounded lock-free stack of node indices whose head is compared by value only: a node
 * that was popped and pushed back meanwhile makes a stale compare-and-swap succeed (ABA),
 * and two threads own one node. -DFIXED: the head carries a version.
 */
#include "threads.h"

#define NODES 3
#define NONE 0xff
#ifdef FIXED
#define NEXT_VERSION(head) (((head) & ~0xff) + 0x100)
#else
#define NEXT_VERSION(head) 0
#endif

static atomic_int head;
static atomic_int next[NODES];
static atomic_int owners[NODES];

static int pop(void)
{
	int old = head;

	while ((old & 0xff) != NONE) {
		int node = old & 0xff;

		if (atomic_compare_exchange_strong(&head, &old, NEXT_VERSION(old) | next[node]))
			return node;
	}
	return NONE;
}

static void push(int node)
{
	int old = head;

	do {
		next[node] = old & 0xff;
	} while (!atomic_compare_exchange_strong(&head, &old, NEXT_VERSION(old) | node));
}

static int acquire(void)
{
	int node = pop();

	if (node != NONE)
		assert(atomic_fetch_add(&owners[node], 1) == 0);
	return node;
}

static void release(int node)
{
	if (node == NONE)
		return;
	atomic_fetch_sub(&owners[node], 1);
	push(node);
}

/* Holds two nodes at once and gives back only the first. */
static void *hoard(void *arg)
{
	int first = acquire();

	(void)arg;
	acquire();
	release(first);
	return NULL;
}

static void *borrow(void *arg)
{
	(void)arg;
	acquire();
	acquire();
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;

	for (int n = 0; n < NODES; n++)
		next[n] = n + 1 < NODES ? n + 1 : NONE;
	threads_start(&threads, hoard, 0);
	threads_start_many(&threads, borrow, arg_number(argc, argv, 1, 1));
	threads_join(&threads);
	return 0;
}

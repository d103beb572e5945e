/*
 * A work-stealing queue: the owner pushes and takes at the bottom, N thieves steal at the
 * top. The owner takes the last item without competing for it, so that a thief that has
 * read the same top takes it too. -DFIXED: the last item is taken by compare-and-swap.
 */
#include "threads.h"

#define CAPACITY 16
#define ITEMS 4

struct deque {
	atomic_int top;
	atomic_int bottom;
	atomic_int items[CAPACITY];
};

static struct deque deque;
static atomic_int taken[ITEMS + 1];

static void push(struct deque *q, int item)
{
	int bottom = q->bottom;

	q->items[bottom % CAPACITY] = item;
	q->bottom = bottom + 1;
}

/* Returns 0 when there is nothing to take. */
static int take(struct deque *q)
{
	int bottom = q->bottom - 1;
	int top, item;

	q->bottom = bottom;
	top = q->top;
	if (top > bottom) {
		q->bottom = bottom + 1;
		return 0;
	}
	item = q->items[bottom % CAPACITY];
	if (top == bottom) {
#ifdef FIXED
		if (!atomic_compare_exchange_strong(&q->top, &top, top + 1))
			item = 0;
#else
		q->top = top + 1;
#endif
		q->bottom = bottom + 1;
	}
	return item;
}

/* Returns 0 when there is nothing to steal, or another was faster. */
static int steal(struct deque *q)
{
	int top = q->top;
	int item;

	if (top >= q->bottom)
		return 0;
	item = q->items[top % CAPACITY];
	if (!atomic_compare_exchange_strong(&q->top, &top, top + 1))
		return 0;
	return item;
}

static void note_taken(int item)
{
	if (item != 0)
		assert(atomic_fetch_add(&taken[item], 1) == 0);
}

static void *own(void *arg)
{
	(void)arg;
	for (int item = 1; item <= ITEMS; item += 2) {
		push(&deque, item);
		push(&deque, item + 1);
		note_taken(take(&deque));
	}
	note_taken(take(&deque));
	return NULL;
}

static void *thieve(void *arg)
{
	(void)arg;
	note_taken(steal(&deque));
	note_taken(steal(&deque));
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;

	threads_start(&threads, own, 0);
	threads_start_many(&threads, thieve, arg_number(argc, argv, 1, 1));
	threads_join(&threads);
	return 0;
}

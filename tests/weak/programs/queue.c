/* A queue after Michael and Scott: one thread enqueues, two dequeue. What is in a node is plain, so an
 * order that is too weak is a data race.
 *
 * rc11: proved
 * tso: proved
 * rc11 -DLINK=relaxed -DFOLLOW=relaxed: race
 * rc11 -DFOLLOW=relaxed suggests: acquire instead of relaxed
 * rc11 -DFOLLOW=relaxed: race
 */
#include <stdbool.h>

#include "weak.h"

#ifndef LINK
#define LINK release
#endif
#ifndef FOLLOW
#define FOLLOW acquire
#endif

struct node {
	int value;
	_Atomic(struct node *) next;
};

struct node nodes[3];
_Atomic(struct node *) head = &nodes[0], tail = &nodes[0];

static void enqueue(struct node *node, int value)
{
	struct node *last, *next;

	node->value = value;
	for (;;) {
		last = LOAD_FROM(tail, FOLLOW);
		next = NULL;
		if (CAS(last->next, next, node, LINK, FOLLOW))
			break;
		CAS(tail, last, next, LINK, relaxed);
	}
	CAS(tail, last, node, LINK, relaxed);
}

static int dequeue(void)
{
	for (;;) {
		struct node *first = LOAD_FROM(head, FOLLOW);
		struct node *next = LOAD_FROM(first->next, FOLLOW);

		if (!next)
			return 0;
		if (CAS(head, first, next, LINK, relaxed))
			return next->value;
	}
}

static void *put(void *unused)
{
	enqueue(&nodes[1], 1);
	enqueue(&nodes[2], 2);
	return unused;
}

static void *get(void *unused)
{
	int first = dequeue(), second = dequeue();

	assert(!second || !first || first < second);
	return unused;
}

MAIN(put, get)

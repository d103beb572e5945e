#include "queue.h"

/*
 * The bug: dequeue reads the value after its compare-and-swap, when the node it comes from
 * is the queue's new dummy and may already have been dequeued, recycled and filled anew by
 * others. The paper says "read value before CAS, otherwise another dequeue might free the
 * next node", and it is an easy line to move. -DFIXED: read before.
 */

#define NONE 0xffffffffu

static uint32_t index_of(queue_link link)
{
	return (uint32_t)link;
}

/* A link to node, one version after the one it replaces. */
static queue_link make_link(uint32_t node, queue_link replaced)
{
	return ((replaced >> 32) + 1) << 32 | node;
}

static bool swing(_Atomic queue_link *link, queue_link seen, uint32_t node)
{
	return atomic_compare_exchange_strong(link, &seen, make_link(node, seen));
}

static uint32_t take_node(struct queue *queue)
{
	for (;;) {
		queue_link top = atomic_load(&queue->free);
		queue_link next;

		if (index_of(top) == NONE)
			return NONE;
		next = atomic_load(&queue->nodes[index_of(top)].next);
		if (swing(&queue->free, top, index_of(next)))
			return index_of(top);
	}
}

static void give_node(struct queue *queue, uint32_t node)
{
	queue_link top, next;

	do {
		top = atomic_load(&queue->free);
		next = atomic_load(&queue->nodes[node].next);
		atomic_store(&queue->nodes[node].next, make_link(index_of(top), next));
	} while (!swing(&queue->free, top, node));
}

void queue_init(struct queue *queue)
{
	for (uint32_t i = 0; i < QUEUE_NODES; i++) {
		atomic_init(&queue->nodes[i].next, i + 1 < QUEUE_NODES ? i + 1 : NONE);
		atomic_init(&queue->nodes[i].value, 0);
	}
	atomic_init(&queue->nodes[0].next, NONE);
	atomic_init(&queue->head, 0);
	atomic_init(&queue->tail, 0);
	atomic_init(&queue->free, 1);
}

bool queue_enqueue(struct queue *queue, int value)
{
	uint32_t node = take_node(queue);
	queue_link tail, next;

	if (node == NONE)
		return false;
	atomic_store(&queue->nodes[node].value, value);
	next = atomic_load(&queue->nodes[node].next);
	atomic_store(&queue->nodes[node].next, make_link(NONE, next));
	for (;;) {
		tail = atomic_load(&queue->tail);
		next = atomic_load(&queue->nodes[index_of(tail)].next);
		if (tail != atomic_load(&queue->tail))
			continue;
		if (index_of(next) != NONE)
			swing(&queue->tail, tail, index_of(next));
		else if (swing(&queue->nodes[index_of(tail)].next, next, node))
			break;
	}
	swing(&queue->tail, tail, node);
	return true;
}

bool queue_dequeue(struct queue *queue, int *value)
{
	queue_link head, tail, next;

	for (;;) {
		head = atomic_load(&queue->head);
		tail = atomic_load(&queue->tail);
		next = atomic_load(&queue->nodes[index_of(head)].next);
		if (head != atomic_load(&queue->head))
			continue;
		if (index_of(next) == NONE)
			return false;
		if (index_of(head) == index_of(tail)) {
			swing(&queue->tail, tail, index_of(next));
			continue;
		}
#ifdef FIXED
		*value = atomic_load(&queue->nodes[index_of(next)].value);
		if (swing(&queue->head, head, index_of(next)))
			break;
#else
		if (swing(&queue->head, head, index_of(next))) {
			*value = atomic_load(&queue->nodes[index_of(next)].value);
			break;
		}
#endif
	}
	give_node(queue, index_of(head));
	return true;
}

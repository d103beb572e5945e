/*
 * The lock-free queue of Michael and Scott (PODC 1996) over a bounded set of nodes.
 *
 * A queue is a linked list with a dummy in front; enqueue swings the last node's link,
 * dequeue swings the head. Links are indices with a version beside them, as in the paper,
 * so that a node that was recycled in between makes a stale compare-and-swap fail. Nodes
 * come from a free list that is itself a lock-free stack.
 */
#ifndef QUEUE_H
#define QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { QUEUE_NODES = 4 };

/* An index in the low half, a version in the high half. */
typedef uint64_t queue_link;

struct queue_node {
	_Atomic queue_link next;
	atomic_int value;
};

struct queue {
	_Atomic queue_link head;
	_Atomic queue_link tail;
	_Atomic queue_link free;
	struct queue_node nodes[QUEUE_NODES];
};

void queue_init(struct queue *queue);

/* Returns false if there is no node left. */
bool queue_enqueue(struct queue *queue, int value);

/* Returns false if the queue is empty. */
bool queue_dequeue(struct queue *queue, int *value);

#endif

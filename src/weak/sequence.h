/* sequence.h: an order of the nodes of a graph in which each read reads the last write.
 *
 * Two runs under sequential consistency in which every read reads the same write are one for
 * --equivalence rf. So its graphs have program order and reads-from and no modification order. A
 * graph is possible if its nodes have an order, one after another, in which each node comes behind
 * the earlier nodes of its thread, and each read directly sees its source:
 *
 *	T1: x = 1     T2: x = 2     T3: r = x (1)        x = 2, x = 1, r = x
 *
 * To find one is hard in the worst case, so this is a search that goes back where it went wrong. Most
 * steps need no choice: a read whose source is the last write goes at once, so does an update, so
 * does a write without readers, as soon as no node waits for the value that it overwrites. Only two
 * writes of one variable that both have readers are tried in both orders.
 *
 * The order that is found depends on the graph alone, not on the order in which its nodes were pushed:
 * threads are tried by their numbers. search.c relies on it.
 */
#ifndef WEAK_SEQUENCE_H
#define WEAK_SEQUENCE_H

#include "weak/graph.h"

struct sequence {
	struct node_ids order; /* the nodes in the order that was found */
	const struct graph *graph;
	const uint64_t *writes;		 /* the nodes whose write counts; NULL: all */
	struct node_ids lens;		 /* of each thread: its nodes that are in the set */
	struct node_ids done;		 /* of each thread: those in `order` by now */
	struct node_ids lasts;		 /* of each variable: the last write */
	struct node_ids stores;		 /* of each variable: stores to come */
	struct node_ids initial_readers; /* of each variable: readers to come of its first value */
	struct node_ids readers;	 /* of each node: readers to come */
	struct node_ids befores;	 /* of each node in `order`: the last write before it */
	struct node_ids failed; /* states that are dead ends: done and lasts of each */
};

void sequence_release(struct sequence *sequence);

/* Is there such an order of these nodes (NULL: all)? With each node the set has what comes before it by
 * program order and reads-from. An update that is not in `writes` is a read. */
bool sequence_find(struct sequence *sequence, const struct graph *graph, const uint64_t *nodes,
		   const uint64_t *writes);

/* After sequence_find: the last write of the variable in the order. */
uint32_t sequence_last_write(const struct sequence *sequence, uint32_t variable);

#endif

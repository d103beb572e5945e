/* maximal.h: which nodes of a graph were added in the one way that a revisit may undo (search.h).
 *
 * When an earlier read r is changed to read the new write w, nodes added after r are taken away.
 * The same graph comes about from many graphs that differ in those nodes. It is made from one of
 * them only: from the graph in which each of those nodes, and r, was added *maximally*. The graph
 * of the moment decides that: the nodes that were there when the node was added, or that w needs.
 *
 *   with modification order    a read of the last write of its variable, a write that comes last
 *   without (--equivalence rf) a read of the write that is last in the order which sequence_find()
 *                              finds for the moment; every write
 *
 * In both cases no node of the moment reads a write that is taken away. The search relies on this:
 * each node can be added maximally to every possible graph, and in one way only, which the graph
 * alone determines. For the second: the node behind all others of the order that is found.
 *
 * An update is added in two steps, its read (node.stamp) and its write (node.stamp_write). If w is an
 * update its read is part of every moment.
 */
#ifndef WEAK_MAXIMAL_H
#define WEAK_MAXIMAL_H

#include "weak/sequence.h"

struct moment {
	const struct graph *graph;
	const uint64_t *needed;	   /* prefix of the new write */
	uint32_t last;		   /* the new write */
	uint32_t limit;		   /* stamp */
	struct sequence *sequence; /* NULL: the graph has a modification order */
	uint64_t *nodes, *writes;  /* with `sequence`: room for two sets of nodes */
};

/* Was the node added maximally? With `sequence`: but for the question which write it reads. */
bool moment_is_maximal(struct moment moment, uint32_t node);

/* With `sequence`: does the node read the write it must? To be asked if moment_is_maximal() is true of
 * all nodes that are taken away, because then the sources of all nodes in a moment are in it. */
bool moment_is_canonical(struct moment moment, uint32_t node);

#endif

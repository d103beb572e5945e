/* search.h: every execution graph of a program once (TruSt; Kokologiannakis and others, POPL 2022).
 *
 * A run of the target adds nodes in the order of a fixed scheduler (TAIL_LOWEST); each read takes
 * the last write and each write comes last, which every model allows. For the nodes that a run has
 * added, search_take() notes further schedules, in which one thing is different:
 *
 *   - a read could have read another write, or a write could have come earlier in modification
 *     order: the same beginning with another choice;
 *   - an earlier read r could have read the new write w. Then the nodes that were added after r and
 *     that w does not need are taken away, w comes, and r reads it. So that each graph is made
 *     once, this is done only if all nodes taken away, and r, were added *maximally*: a read
 *     of the last write, a write that comes last, among the nodes that were there then or that w
 *     needs.
 *
 *         T1: r = x        T2: x = 1          run: r reads 0, x = 1
 *                                             further: x = 1, r reads 1
 *
 * Locking a mutex that is held is a read after which the thread waits; the unlock that comes later
 * is a write that the read can be changed to.
 *
 * With MEMORY_RF (--equivalence rf) graphs have no modification order: a write has one place. A
 * graph is possible if its nodes have an order in which each read reads the last write
 * (sequence.h). A branch is run in that order, so its run is sequentially consistent and needs no
 * named sources. No class is lost, for the reason for which TruSt loses none. A part of a possible
 * graph that has with each node all before it is possible (take the others out of the order). Each
 * node can be added to a possible graph (behind all others). And there is one way of adding it that
 * a revisit may undo (maximal.h).
 *
 * The state of the search is the list of schedules not run yet. Each is a run's beginning with the
 * order in which its nodes were added (stamps), which is not the order in which they run.
 */
#ifndef WEAK_SEARCH_H
#define WEAK_SEARCH_H

#include "core/schedule.h"
#include "weak/reader.h"
#include "weak/sequence.h"

/* A beginning of a run. */
struct branch {
	uint32_t len;
	uint32_t changed; /* the decision whose node has another source, or was added last */
	bool is_guess; /* it is not known whether a compare-and-swap in it succeeds */
	struct decision *decisions;     /* owned, in one block with the branch */
	uint32_t *stamps, *stamps_write; /* of each decision's node: node.stamp, .stamp_write */
	uint32_t *sources; /* of each decision's node: node.source */
};

struct search {
	enum memory_model model;
	VEC(struct branch *) branches;
	struct reader reader;
	struct graph graph;    /* of the trace that is looked at */
	struct graph changed;  /* a part of it with another source */
	const struct trace *trace;
	VEC(uint32_t) kept;    /* nodes of graph in `changed`, in its order */
	VEC(uint32_t) renamed; /* by node of graph: its index in `changed`, or NODE_NONE */
	VEC(uint64_t) dropped; /* set of nodes taken away */
	struct sequence sequence; /* MEMORY_RF: of the last graph that was found possible */
	VEC(uint64_t) moment_nodes, moment_writes; /* MEMORY_RF: sets (maximal.h) */
	const char *broken;    /* a step was not possible that should be: a mistake of ours */
};

/* The search begins with the branch of no decisions. */
void search_start(struct search *search, enum memory_model model);
void search_release(struct search *search);

/* The trace of a branch that was removed from search.branches: adds all that follow from it.
 * False if the model does not allow it, which can only be if it was a guess. */
bool search_take(struct search *search, const struct branch *branch, const struct trace *trace);

/* Did the last trace taken end only after all that its threads did? Then its end could not have come
 * earlier. */
bool search_ended_last(const struct search *search);

void branch_free(struct branch *branch);

#endif

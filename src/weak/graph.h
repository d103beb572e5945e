/* graph.h: an execution graph, the view of a run under a weak memory model.
 *
 * The nodes are the events of a run. Three relations are stored: the order of each thread; the
 * source of each read, which is the write it reads; and for each variable the modification order
 * of its writes. Nodes are pushed in an order in which each node comes after its predecessors in
 * its thread and after its source. (Program order and reads-from have no cycle in any model here.)
 * So the nodes that happen before a node are known when it is pushed. Taking the last node back is
 * cheap:
 *
 *	graph_start(&graph, threads, nodes);
 *	graph_push(&graph, &read_of_initial_value);
 *	if (!graph_is_coherent(…)) graph_pop(&graph);
 *
 * Happens-before is that of C11 with the release sequences of C++20: only updates continue one. It
 * is kept as vector clocks. `prefix` is the set of nodes that come before a node by program order,
 * reads-from, creation and joining; the search needs it (search.h).
 *
 * A mutex is a variable: locking it is an update with order acquire that reads the last unlock,
 * unlocking is a store with order release. Writing to a file is an update of it. object.h has all
 * of them.
 */
#ifndef WEAK_GRAPH_H
#define WEAK_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bitset.h"
#include "base/map.h"
#include "base/vec.h"
#include "core/event.h"
#include "core/memory_model.h"

enum { NODE_NONE = 0x7fffffff, NODE_INITIAL = 0x7ffffffe };

enum node_kind {
	NODE_LOCAL,  /* touches no variable: creation, joining, an end */
	NODE_READ,
	NODE_WRITE,
	NODE_UPDATE, /* reads and writes in one step */
	NODE_FENCE,
};

struct node {
	uint32_t thread;
	uint32_t number;   /* among the nodes of its thread, from 1; set by graph_push */
	uint32_t before;   /* the node before it in its thread, or NODE_NONE; set by graph_push */
	uint32_t after;    /* of a join: the last node of the thread it waited for; else NODE_NONE */
	uint32_t variable; /* of an access: its index in graph.variables */
	uint32_t source;   /* the write it reads; of a write: the one it comes after; NODE_INITIAL */
	uint32_t place;    /* of a write: its index in the modification order; 0 is the initial one */
	uint32_t creates;  /* the thread it creates, or NODE_NONE */
	uint32_t stamp;    /* when the search added it */
	uint32_t stamp_write; /* of an update: when its write was added, after a revisit of its read */
	uint8_t kind;      /* enum node_kind */
	uint8_t order;     /* enum memory_order; MEMORY_ORDER_NONE: a plain write */
	bool is_object;    /* not an atomic variable but a lock, a file or the like (object.h): the
	                      order of the trace is the modification order */
	bool is_barrier;   /* of a read, or of an update of an object: a locked instruction on x86,
	                      as a failed compare-and-swap is */
	bool is_look;      /* of a load: the kernel looks at the word of a futex */
	bool is_futex;     /* of a step on an object: it is a futex, whose steps order nothing */
	uint8_t action;    /* of a step on an object: enum event_kind */
	uint32_t found, left; /* of a step on an object: its value before and after (object.h) */
};

VEC_TYPE(node_ids, uint32_t);

struct variable {
	struct node_ids writes; /* in modification order; [0] is NODE_INITIAL */
	struct node_ids reads;  /* reads and updates, in the order of pushing */
};

struct graph {
	VEC(struct node) nodes;
	struct variable *variables;
	uint32_t variables_len, variables_cap;
	struct node_ids *threads;   /* the nodes of each thread */
	uint32_t *creators;         /* of each thread: the node that created it, or NODE_NONE */
	uint32_t width;             /* number of threads */
	uint32_t words;             /* of a set of nodes */
	bool has_no_clocks;         /* set by the owner: nobody asks for happens-before (MEMORY_RF) */
	uint32_t seq_cst;           /* nodes with that order */
	uint32_t seq_cst_fences;    /* those of them that are fences */
	VEC(uint32_t) clocks;       /* four of each node: see graph.c */
	VEC(uint64_t) prefixes;     /* one set of each node */
	VEC(uint64_t) scratch;      /* relations, while a model is checked */
};

/* Empties the graph and makes room for so many threads, and for sets of so many nodes. */
void graph_start(struct graph *graph, uint32_t threads, uint32_t nodes);
void graph_release(struct graph *graph);

/* Adds a node at the end of its thread and returns its index. A write goes into the modification
 * order behind its source. */
uint32_t graph_push(struct graph *graph, const struct node *node);

/* Takes the last node back. */
void graph_pop(struct graph *graph);

static inline struct node *graph_node(const struct graph *graph, uint32_t i)
{
	return &graph->nodes.items[i];
}

static inline uint32_t graph_len(const struct graph *graph)
{
	return (uint32_t)graph->nodes.len;
}

static inline const uint64_t *graph_prefix(const struct graph *graph, uint32_t i)
{
	return graph->prefixes.items + (size_t)i * graph->words;
}

/* The place of a write in modification order; of NODE_INITIAL 0. */
static inline uint32_t graph_place(const struct graph *graph, uint32_t write)
{
	return write == NODE_INITIAL ? 0 : graph_node(graph, write)->place;
}

static inline struct variable *graph_variable(const struct graph *graph, const struct node *node)
{
	return &graph->variables[node->variable];
}

static inline bool node_reads(const struct node *node)
{
	return node->kind == NODE_READ || node->kind == NODE_UPDATE;
}

static inline bool node_writes(const struct node *node)
{
	return node->kind == NODE_WRITE || node->kind == NODE_UPDATE;
}

/* Does x happen before y, another node? */
bool graph_happens_before(const struct graph *graph, uint32_t x, uint32_t y);

/* ---- consistency; all others of the graph are known to be consistent ---- */

/* Is the last node, if it writes, not between an update and the write that it reads? */
bool graph_is_atomic(const struct graph *graph);

/* Does the last node read (or come after) a write that its thread may not know to be overwritten?
 * The order that counts is happens-before under RC11 and program order under TSO and SC. */
bool graph_is_coherent(const struct graph *graph, enum memory_model model);

/* The rest of the model: psc has no cycle (RC11, rc11.c), the global order has none (TSO and SC,
 * tso.c). */
bool graph_is_ordered(struct graph *graph, enum memory_model model);
bool graph_is_psc_acyclic(struct graph *graph);

/* The same if it is known to hold without the last node. All edges that the last node brings begin or end
 * at that node, and those that begin there lead to later writes of its variable:
 *
 *	x = 1; r = y     the load is the last node. If y has no later write than the one it reads, no
 *	                 edge leads on from it, and it is on no cycle. */
bool graph_stays_ordered(struct graph *graph, enum memory_model model);
bool graph_stays_psc_acyclic(const struct graph *graph);
bool graph_is_globally_ordered(struct graph *graph, enum memory_model model);

#endif

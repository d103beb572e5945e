/* tso.c: the global order of accesses, under x86-TSO and under sequential consistency.
 *
 *	SC    sb | rf | mo | rb has no cycle
 *	TSO   ppo | rfe | mo | rb has no cycle; ppo is sb without the pairs of a store and a later load
 *	      between which nothing drains the store buffer; rfe is rf between two threads
 *
 * A fence drains the buffer if it is seq_cst. So do a seq_cst store, an update, a compare-and-swap
 * that fails, locking, unlocking, creating and joining a thread. Signalling a condition does not: where
 * nobody waits, it is a load. */
#include "weak/relation.h"

static bool drains(const struct node *n)
{
	switch (n->kind) {
	case NODE_READ:
		return n->is_barrier;
	case NODE_WRITE:
		return n->order == MEMORY_ORDER_SEQ_CST || n->is_object;
	case NODE_UPDATE:
		return !n->is_object || n->is_barrier;
	case NODE_FENCE:
		return n->order == MEMORY_ORDER_SEQ_CST;
	default:
		return true;
	}
}

static bool is_load(const struct node *n)
{
	return n->kind == NODE_READ || (n->kind == NODE_UPDATE && !drains(n));
}

static bool is_kept(const struct node *first, const struct node *second)
{
	if (first->kind == NODE_FENCE || second->kind == NODE_FENCE)
		return drains(first->kind == NODE_FENCE ? first : second);
	return first->kind != NODE_WRITE || !is_load(second) || drains(first) || drains(second);
}

static void add_thread(const struct graph *g, const struct relation *r, uint32_t x,
		       enum memory_model model)
{
	const struct node *n = graph_node(g, x);
	const struct node_ids *thread = &g->threads[n->thread];

	for (size_t i = n->number; i < thread->len; i++)
		if (model == MEMORY_SC || is_kept(n, graph_node(g, thread->items[i])))
			relation_add(r, x, thread->items[i]);
	if (n->creates != NODE_NONE)
		for (size_t i = 0; i < g->threads[n->creates].len; i++)
			relation_add(r, x, g->threads[n->creates].items[i]);
	if (n->after != NODE_NONE) {
		const struct node *end = graph_node(g, n->after);

		for (uint32_t i = 0; i < end->number; i++)
			relation_add(r, g->threads[end->thread].items[i], x);
	}
}

bool graph_is_globally_ordered(struct graph *g, enum memory_model model)
{
	struct relation r;

	relation_begin(g, &r, 1);
	for (uint32_t x = 0; x < r.len; x++) {
		const struct node *n = graph_node(g, x);

		add_thread(g, &r, x, model);
		relation_add_later(g, x, relation_row(&r, x));
		if (node_reads(n) && n->source != NODE_INITIAL &&
		    (model == MEMORY_SC || graph_node(g, n->source)->thread != n->thread))
			relation_add(&r, n->source, x);
	}
	return relation_is_acyclic(&r);
}

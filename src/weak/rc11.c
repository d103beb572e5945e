/* rc11.c: the order of seq_cst accesses and fences under RC11 (Lahav and others, PLDI 2017).
 *
 *	scb      = sb | sb_diff ; hb ; sb_diff | hb on one variable | mo | rb
 *	psc_base = ([sc] | [Fsc] ; hb?) ; scb ; ([sc] | hb? ; [Fsc])
 *	psc_F    = [Fsc] ; (hb | hb ; eco ; hb) ; [Fsc]
 *	psc_base | psc_F must have no cycle
 *
 * sb is program order, sb_diff the part of it between accesses to different variables, mo the
 * modification order, rb leads from a read to the writes after the one that it reads, and eco is
 * (rf | mo | rb)+. */
#include <string.h>

#include "weak/relation.h"

enum { HB, DIFF, SCB, ECO, PSC, RELATIONS };

static bool is_access(const struct node *n)
{
	return (node_reads(n) || node_writes(n)) && !n->is_futex;
}

static bool has_same_variable(const struct node *a, const struct node *b)
{
	return is_access(a) && is_access(b) && a->variable == b->variable;
}

/* A futex orders nothing, so it is not a step to another variable either. */
static bool is_different(const struct node *a, const struct node *b)
{
	return !has_same_variable(a, b) && !a->is_futex && !b->is_futex;
}

static void fill_orders(const struct graph *g, const struct relation *r)
{
	for (uint32_t x = 0; x < r->len; x++) {
		const struct node *a = graph_node(g, x);
		const struct node_ids *thread = &g->threads[a->thread];

		for (uint32_t y = 0; y < r->len; y++)
			if (graph_happens_before(g, x, y)) {
				relation_add(&r[HB], x, y);
				if (has_same_variable(a, graph_node(g, y)))
					relation_add(&r[SCB], x, y);
			}
		for (size_t i = a->number; i < thread->len; i++) {
			relation_add(&r[SCB], x, thread->items[i]);
			if (is_different(a, graph_node(g, thread->items[i])))
				relation_add(&r[DIFF], x, thread->items[i]);
		}
		if (is_access(a))
			relation_add_later(g, x, relation_row(&r[SCB], x));
	}
}

/* sb_diff ; hb ; sb_diff */
static void add_detours(const struct relation *r)
{
	uint64_t reached[r->words];

	for (uint32_t x = 0; x < r->len; x++) {
		memset(reached, 0, sizeof(reached));
		bitset_foreach(y, relation_row(&r[DIFF], x), r->words)
			relation_join(&r[HB], reached, (uint32_t)y);
		bitset_foreach(y, reached, r->words)
			relation_join(&r[DIFF], relation_row(&r[SCB], x), (uint32_t)y);
	}
}

static void add_readers(const struct graph *g, const struct variable *variable,
			uint64_t *writes, uint64_t *row)
{
	for (size_t i = 0; i < variable->reads.len; i++) {
		uint32_t read = variable->reads.items[i], source = graph_node(g, read)->source;

		if (source != NODE_INITIAL && bitset_has(writes, source))
			bitset_add(row, read);
	}
}

static void fill_eco(const struct graph *g, const struct relation *r)
{
	uint64_t writes[r->words];

	for (uint32_t x = 0; x < r->len; x++) {
		const struct node *n = graph_node(g, x);

		if (!is_access(n))
			continue;
		memset(writes, 0, sizeof(writes));
		relation_add_later(g, x, writes);
		for (uint32_t w = 0; w < r->words; w++)
			relation_row(&r[ECO], x)[w] |= writes[w];
		if (node_writes(n))
			bitset_add(writes, x);
		add_readers(g, graph_variable(g, n), writes, relation_row(&r[ECO], x));
	}
}

/* The kernel has a full fence before it loads the word of a futex. A program gets no more of it than
 * the place of this load in the order of seq_cst accesses: the load does not acquire. */
static bool is_seq_cst(const struct node *n)
{
	return n->order == MEMORY_ORDER_SEQ_CST || n->is_look;
}

static bool is_fence(const struct node *n)
{
	return n->kind == NODE_FENCE;
}

/* The nodes that psc_base reaches from a, before the last step to a fence. */
static void reach(const struct graph *g, const struct relation *r, uint32_t a, uint64_t *row)
{
	relation_join(&r[SCB], row, a);
	if (is_fence(graph_node(g, a)))
		bitset_foreach(x, relation_row(&r[HB], a), r->words)
			relation_join(&r[SCB], row, (uint32_t)x);
}

/* hb | hb ; eco ; hb, before the last hb */
static void reach_fence(const struct relation *r, uint32_t a, uint64_t *row)
{
	bitset_foreach(x, relation_row(&r[HB], a), r->words)
		relation_join(&r[ECO], row, (uint32_t)x);
}

static bool leads_to(const struct relation *r, const uint64_t *row, uint32_t b)
{
	bitset_foreach(x, row, r->words)
		if (bitset_has(relation_row(&r[HB], (uint32_t)x), b))
			return true;
	return false;
}

static void fill_psc(const struct graph *g, const struct relation *r)
{
	uint64_t row[r->words], row_fence[r->words];

	for (uint32_t a = 0; a < r->len; a++) {
		bool is_from_fence = is_fence(graph_node(g, a));

		if (!is_seq_cst(graph_node(g, a)))
			continue;
		memset(row, 0, sizeof(row));
		memset(row_fence, 0, sizeof(row_fence));
		reach(g, r, a, row);
		if (is_from_fence)
			reach_fence(r, a, row_fence);
		for (uint32_t b = 0; b < r->len; b++) {
			bool is_to_fence = is_fence(graph_node(g, b));

			if (is_seq_cst(graph_node(g, b)) &&
			    (bitset_has(row, b) || (is_to_fence && leads_to(r, row, b)) ||
			     (is_from_fence && is_to_fence &&
			      (bitset_has(relation_row(&r[HB], a), b) ||
			       leads_to(r, row_fence, b)))))
				relation_add(&r[PSC], a, b);
		}
	}
}

bool graph_is_psc_acyclic(struct graph *g)
{
	struct relation r[RELATIONS];

	relation_begin(g, r, RELATIONS);
	fill_orders(g, r);
	add_detours(r);
	fill_eco(g, r);
	fill_psc(g, r);
	return relation_is_acyclic(&r[PSC]);
}

/* ---- without fences ---- */

/* Without seq_cst fences psc is scb between seq_cst accesses, so a cycle that the last node closes goes
 * through this node. A node that happens before another happens before all later ones of that thread,
 * so sb_diff ; hb ; sb_diff leads from a to b just if the first node after a that is different from a
 * happens before the last one before b that is different from b. */

static uint32_t next_different(const struct graph *g, uint32_t x)
{
	const struct node *n = graph_node(g, x);
	const struct node_ids *thread = &g->threads[n->thread];

	for (size_t i = n->number; i < thread->len; i++)
		if (is_different(n, graph_node(g, thread->items[i])))
			return thread->items[i];
	return NODE_NONE;
}

static uint32_t last_different(const struct graph *g, uint32_t x)
{
	const struct node *n = graph_node(g, x);
	uint32_t y = n->before;

	while (y != NODE_NONE && !is_different(n, graph_node(g, y)))
		y = graph_node(g, y)->before;
	return y;
}

static bool comes_before(const struct graph *g, const struct node *a, const struct node *b)
{
	uint32_t place = node_reads(a) ? graph_place(g, a->source) : a->place;

	return node_writes(b) && b->place > place;
}

/* scb from a to b, two seq_cst accesses; next is next_different(a). */
static bool is_scb(const struct graph *g, uint32_t a, uint32_t next, uint32_t b)
{
	const struct node *from = graph_node(g, a), *to = graph_node(g, b);
	uint32_t last;

	if (from->thread == to->thread)
		return from->number < to->number;
	if (has_same_variable(from, to) &&
	    (comes_before(g, from, to) || graph_happens_before(g, a, b)))
		return true;
	if (next == NODE_NONE)
		return false;
	last = last_different(g, b);
	return last != NODE_NONE && graph_happens_before(g, next, last);
}

bool graph_stays_psc_acyclic(const struct graph *g)
{
	uint32_t len = graph_len(g), last = len - 1, todo[len], todo_len = 0;
	uint64_t seen[BITSET_WORDS(len)];

	if (!is_seq_cst(graph_node(g, last)))
		return true;
	memset(seen, 0, sizeof(seen));
	todo[todo_len++] = last;
	while (todo_len) {
		uint32_t a = todo[--todo_len], next = next_different(g, a);

		for (uint32_t b = 0; b < len; b++) {
			if (b == a || bitset_has(seen, b) || !is_seq_cst(graph_node(g, b)) ||
			    !is_scb(g, a, next, b))
				continue;
			if (b == last)
				return false;
			bitset_add(seen, b);
			todo[todo_len++] = b;
		}
	}
	return true;
}

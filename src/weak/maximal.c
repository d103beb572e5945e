#include "weak/maximal.h"

#include <string.h>

static bool has_read(const struct moment *m, uint32_t x)
{
	return x != m->last &&
	       (graph_node(m->graph, x)->stamp <= m->limit || bitset_has(m->needed, x));
}

static bool has_write(const struct moment *m, uint32_t x)
{
	return x == NODE_INITIAL ||
	       (x != m->last &&
		(graph_node(m->graph, x)->stamp_write <= m->limit || bitset_has(m->needed, x)));
}

/* Is no write of the moment behind this place in modification order? */
static bool is_latest(const struct moment *m, const struct variable *variable, uint32_t place)
{
	for (size_t p = place + 1; p < variable->writes.len; p++)
		if (has_write(m, variable->writes.items[p]))
			return false;
	return true;
}

static bool is_read(const struct moment *m, const struct variable *variable, uint32_t write)
{
	for (size_t i = 0; i < variable->reads.len; i++) {
		uint32_t read = variable->reads.items[i];

		if (read != write && graph_node(m->graph, read)->source == write &&
		    has_read(m, read))
			return true;
	}
	return false;
}

bool moment_is_maximal(struct moment m, uint32_t x)
{
	const struct node *n = graph_node(m.graph, x);
	const struct variable *variable;

	if (!node_reads(n) && !node_writes(n))
		return true;
	variable = graph_variable(m.graph, n);
	m.limit = n->stamp;
	if (node_reads(n) &&
	    (!has_write(&m, n->source) ||
	     (!m.sequence && !is_latest(&m, variable, graph_place(m.graph, n->source)))))
		return false;
	if (!node_writes(n))
		return true;
	m.limit = n->stamp_write;
	if (!m.sequence && !is_latest(&m, variable, n->place))
		return false;
	return !is_read(&m, variable, x);
}

/* Does b come after a in every order? */
static bool comes_after(const struct graph *g, uint32_t a, uint32_t b)
{
	return a == NODE_INITIAL || (b != NODE_INITIAL && bitset_has(graph_prefix(g, b), a));
}

/* Which write is last follows from program order and reads-from alone? False if it does not. */
static bool is_evident(const struct moment *m, uint32_t x, bool *is_last)
{
	const struct node *n = graph_node(m->graph, x);
	const struct variable *variable = graph_variable(m->graph, n);
	bool is_open = false;

	for (size_t p = 1; p < variable->writes.len; p++) {
		uint32_t write = variable->writes.items[p];

		if (write == n->source || write == x || !has_write(m, write))
			continue;
		if (comes_after(m->graph, n->source, write)) {
			*is_last = false;
			return true;
		}
		is_open |= !comes_after(m->graph, write, n->source);
	}
	*is_last = true;
	return !is_open;
}

bool moment_is_canonical(struct moment m, uint32_t x)
{
	const struct graph *g = m.graph;
	const struct node *n = graph_node(g, x);
	size_t bytes = g->words * sizeof(uint64_t);
	bool is_last;

	if (!node_reads(n))
		return true;
	m.limit = n->stamp;
	if (is_evident(&m, x, &is_last))
		return is_last;
	memset(m.nodes, 0, bytes);
	memset(m.writes, 0, bytes);
	for (uint32_t y = 0; y < graph_len(g); y++) {
		if (y == x)
			continue;
		if (has_read(&m, y) || (y == m.last && node_reads(graph_node(g, y))))
			bitset_add(m.nodes, y);
		if (y != m.last && has_write(&m, y))
			bitset_add(m.writes, y);
	}
	return sequence_find(m.sequence, g, m.nodes, m.writes) &&
	       sequence_last_write(m.sequence, n->variable) == n->source;
}

#include "weak/relation.h"

#include <string.h>

void relation_begin(struct graph *g, struct relation *relations, uint32_t count)
{
	uint32_t len = graph_len(g), words = (uint32_t)BITSET_WORDS(len);
	size_t each = (size_t)len * words;

	vec_reserve(&g->scratch, each * count);
	memset(g->scratch.items, 0, each * count * sizeof(uint64_t));
	for (uint32_t i = 0; i < count; i++)
		relations[i] = (struct relation){g->scratch.items + i * each, words, len};
}

void relation_add_later(const struct graph *g, uint32_t x, uint64_t *row)
{
	const struct node *n = graph_node(g, x);
	const struct variable *variable;
	uint32_t place;

	if (!node_reads(n) && !node_writes(n))
		return;
	variable = graph_variable(g, n);
	place = node_reads(n) ? graph_place(g, n->source) : n->place;
	for (size_t p = place + 1; p < variable->writes.len; p++)
		if (variable->writes.items[p] != x)
			bitset_add(row, variable->writes.items[p]);
}

/* Takes away nodes from which nothing that is left can be reached, until none is left. */
bool relation_is_acyclic(const struct relation *r)
{
	uint64_t left[r->words];
	uint32_t count = r->len;
	bool any = true;

	memset(left, 0, sizeof(left));
	for (uint32_t x = 0; x < r->len; x++)
		bitset_add(left, x);
	while (count && any) {
		any = false;
		for (uint32_t x = r->len; x-- > 0;) {
			bool leads = false;

			if (!bitset_has(left, x))
				continue;
			for (uint32_t w = 0; w < r->words && !leads; w++)
				leads = relation_row(r, x)[w] & left[w];
			if (leads)
				continue;
			bitset_remove(left, x);
			count--;
			any = true;
		}
	}
	return !count;
}

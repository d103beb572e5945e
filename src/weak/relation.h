/* relation.h: relations on the nodes of a graph as rows of bits, for checking a model.
 *
 * A relation has one set per node: the nodes that it leads to. The rows live in graph.scratch,
 * which relation_begin() empties and sizes. */
#ifndef WEAK_RELATION_H
#define WEAK_RELATION_H

#include "weak/graph.h"

struct relation {
	uint64_t *rows;
	uint32_t words;
	uint32_t len; /* nodes */
};

static inline uint64_t *relation_row(const struct relation *r, uint32_t x)
{
	return r->rows + (size_t)x * r->words;
}

static inline void relation_add(const struct relation *r, uint32_t x, uint32_t y)
{
	bitset_add(relation_row(r, x), y);
}

static inline void relation_join(const struct relation *r, uint64_t *into, uint32_t x)
{
	const uint64_t *row = relation_row(r, x);

	for (uint32_t w = 0; w < r->words; w++)
		into[w] |= row[w];
}

/* Makes room for `count` empty relations. */
void relation_begin(struct graph *graph, struct relation *relations, uint32_t count);

/* Adds: the writes that come after x in modification order; if x reads, after what it reads. */
void relation_add_later(const struct graph *graph, uint32_t x, uint64_t *row);

/* Is there no way from a node back to itself? */
bool relation_is_acyclic(const struct relation *relation);

#endif

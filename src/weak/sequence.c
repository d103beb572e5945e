#include "weak/sequence.h"

#include <string.h>

#include "base/mem.h"

void sequence_release(struct sequence *q)
{
	vec_release(&q->order);
	vec_release(&q->lens);
	vec_release(&q->done);
	vec_release(&q->lasts);
	vec_release(&q->stores);
	vec_release(&q->initial_readers);
	vec_release(&q->readers);
	vec_release(&q->befores);
	vec_release(&q->failed);
}

static void fill(struct node_ids *ids, size_t len, uint32_t value)
{
	ids->len = 0;
	vec_reserve(ids, len);
	for (size_t i = 0; i < len; i++)
		ids->items[i] = value;
	ids->len = len;
}

static bool counts_write(const struct sequence *q, uint32_t x)
{
	return node_writes(graph_node(q->graph, x)) && (!q->writes || bitset_has(q->writes, x));
}

static uint32_t *readers_of(struct sequence *q, uint32_t variable, uint32_t write)
{
	return write == NODE_INITIAL ? &q->initial_readers.items[variable]
				     : &q->readers.items[write];
}

static void count_node(struct sequence *q, uint32_t x)
{
	const struct node *n = graph_node(q->graph, x);

	if (node_reads(n))
		++*readers_of(q, n->variable, n->source);
	q->stores.items[n->variable] += n->kind == NODE_WRITE && counts_write(q, x);
}

static void begin(struct sequence *q, const uint64_t *nodes)
{
	const struct graph *g = q->graph;

	fill(&q->lens, g->width, 0);
	fill(&q->done, g->width, 0);
	fill(&q->lasts, g->variables_len, NODE_INITIAL);
	fill(&q->stores, g->variables_len, 0);
	fill(&q->initial_readers, g->variables_len, 0);
	fill(&q->readers, graph_len(g), 0);
	fill(&q->befores, graph_len(g), NODE_NONE);
	q->failed.len = q->order.len = 0;
	for (uint32_t t = 0; t < g->width; t++)
		for (uint32_t i = 0; i < g->threads[t].len; i++) {
			uint32_t x = g->threads[t].items[i];
			const struct node *n = graph_node(g, x);

			if (nodes && !bitset_has(nodes, x))
				break;
			q->lens.items[t]++;
			if (node_reads(n) || node_writes(n))
				count_node(q, x);
		}
}

/* ---- steps ---- */

static bool is_done(const struct sequence *q, uint32_t x)
{
	const struct node *n;

	if (x >= NODE_INITIAL)
		return true;
	n = graph_node(q->graph, x);
	return q->done.items[n->thread] >= n->number;
}

/* The next node of the thread, if it can go now; else NODE_NONE. */
static uint32_t next_of(struct sequence *q, uint32_t thread)
{
	const struct graph *g = q->graph;
	uint32_t i = q->done.items[thread], x, last;
	const struct node *n;

	if (i >= q->lens.items[thread])
		return NODE_NONE;
	x = g->threads[thread].items[i];
	n = graph_node(g, x);
	if (!is_done(q, n->after) || (!i && !is_done(q, g->creators[thread])))
		return NODE_NONE;
	if (!node_reads(n) && !node_writes(n))
		return x;
	last = q->lasts.items[n->variable];
	if (node_reads(n) && n->source != last)
		return NODE_NONE;
	if (counts_write(q, x) && *readers_of(q, n->variable, last) > node_reads(n))
		return NODE_NONE;
	return x;
}

/* If there is an order from here on, is there one in which this node comes next? See sequence.h. A store
 * with readers may come at once if it is the last store of its variable. */
static bool is_safe(struct sequence *q, uint32_t x)
{
	const struct node *n = graph_node(q->graph, x);

	return n->kind != NODE_WRITE || !q->readers.items[x] || q->stores.items[n->variable] == 1;
}

static void take(struct sequence *q, uint32_t x)
{
	const struct node *n = graph_node(q->graph, x);

	q->done.items[n->thread]++;
	*vec_push(&q->order) = x;
	if (node_reads(n))
		--*readers_of(q, n->variable, n->source);
	if (!counts_write(q, x))
		return;
	q->stores.items[n->variable] -= n->kind == NODE_WRITE;
	q->befores.items[x] = q->lasts.items[n->variable];
	q->lasts.items[n->variable] = x;
}

static void take_back(struct sequence *q, size_t len)
{
	while (q->order.len > len) {
		uint32_t x = vec_pop(&q->order);
		const struct node *n = graph_node(q->graph, x);

		q->done.items[n->thread]--;
		if (node_reads(n))
			++*readers_of(q, n->variable, n->source);
		if (!counts_write(q, x))
			continue;
		q->stores.items[n->variable] += n->kind == NODE_WRITE;
		q->lasts.items[n->variable] = q->befores.items[x];
	}
}

/* Takes all steps that need no choice. */
static void take_safe(struct sequence *q)
{
	bool any = true;

	while (any) {
		any = false;
		for (uint32_t t = 0; t < q->graph->width; t++) {
			uint32_t x;

			while ((x = next_of(q, t)) != NODE_NONE && is_safe(q, x)) {
				take(q, x);
				any = true;
			}
		}
	}
}

static bool is_complete(const struct sequence *q)
{
	for (uint32_t t = 0; t < q->graph->width; t++)
		if (q->done.items[t] < q->lens.items[t])
			return false;
	return true;
}

/* ---- states that are dead ends ---- */

static bool has_failed(const struct sequence *q)
{
	size_t done = q->done.len, lasts = q->lasts.len;

	for (size_t i = 0; i < q->failed.len; i += done + lasts)
		if (!memcmp(q->failed.items + i, q->done.items, done * sizeof(uint32_t)) &&
		    !memcmp(q->failed.items + i + done, q->lasts.items, lasts * sizeof(uint32_t)))
			return true;
	return false;
}

static void note_failed(struct sequence *q)
{
	vec_append(&q->failed, q->done.items, q->done.len);
	vec_append(&q->failed, q->lasts.items, q->lasts.len);
}

static bool extend(struct sequence *q)
{
	size_t len;

	take_safe(q);
	if (is_complete(q))
		return true;
	if (has_failed(q))
		return false;
	len = q->order.len;
	for (uint32_t t = 0; t < q->graph->width; t++) {
		uint32_t x = next_of(q, t);

		if (x == NODE_NONE)
			continue;
		take(q, x);
		if (extend(q))
			return true;
		take_back(q, len);
	}
	note_failed(q);
	return false;
}

bool sequence_find(struct sequence *q, const struct graph *graph, const uint64_t *nodes,
		   const uint64_t *writes)
{
	q->graph = graph;
	q->writes = writes;
	begin(q, nodes);
	return extend(q);
}

uint32_t sequence_last_write(const struct sequence *q, uint32_t variable)
{
	return variable < q->lasts.len ? q->lasts.items[variable] : (uint32_t)NODE_INITIAL;
}

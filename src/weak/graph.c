#include "weak/graph.h"

#include <string.h>

#include "base/mem.h"
#include "core/vclock.h"
#include "weak/object.h"

/* The clocks of a node: its thread's clock after it; what the relaxed loads of the thread have
 * seen; the clock at the last release fence; what a read of this write acquires. */
enum { CLOCK, SEEN, FENCED, RELEASED, CLOCKS };

static uint32_t *clock_of(const struct graph *g, uint32_t node, int which)
{
	return g->clocks.items + ((size_t)node * CLOCKS + (size_t)which) * g->width;
}

void graph_start(struct graph *g, uint32_t threads, uint32_t nodes)
{
	for (uint32_t v = 0; v < g->variables_len; v++)
		g->variables[v].writes.len = g->variables[v].reads.len = 0;
	if (threads > g->width) {
		g->threads = mem_realloc(g->threads, threads * sizeof(*g->threads));
		memset(g->threads + g->width, 0, (threads - g->width) * sizeof(*g->threads));
		g->creators = mem_realloc(g->creators, threads * sizeof(*g->creators));
		g->width = threads;
	}
	for (uint32_t t = 0; t < g->width; t++) {
		g->threads[t].len = 0;
		g->creators[t] = NODE_NONE;
	}
	g->words = (uint32_t)BITSET_WORDS(nodes + 1);
	g->variables_len = g->seq_cst = g->seq_cst_fences = 0;
	g->nodes.len = 0;
}

void graph_release(struct graph *g)
{
	for (uint32_t v = 0; v < g->variables_cap; v++) {
		vec_release(&g->variables[v].writes);
		vec_release(&g->variables[v].reads);
	}
	for (uint32_t t = 0; t < g->width; t++)
		vec_release(&g->threads[t]);
	mem_free(g->variables);
	mem_free(g->threads);
	mem_free(g->creators);
	vec_release(&g->nodes);
	vec_release(&g->clocks);
	vec_release(&g->prefixes);
	vec_release(&g->scratch);
}

static bool acquires(uint8_t order)
{
	return order == MEMORY_ORDER_ACQUIRE || order == MEMORY_ORDER_ACQ_REL ||
	       order == MEMORY_ORDER_SEQ_CST;
}

static bool releases(uint8_t order)
{
	return order == MEMORY_ORDER_RELEASE || order == MEMORY_ORDER_ACQ_REL ||
	       order == MEMORY_ORDER_SEQ_CST;
}

/* ---- the modification order ---- */

static void ensure_variable(struct graph *g, uint32_t v)
{
	if (v >= g->variables_cap) {
		uint32_t cap = v + 16;

		g->variables = mem_realloc(g->variables, cap * sizeof(*g->variables));
		memset(g->variables + g->variables_cap, 0,
		       (cap - g->variables_cap) * sizeof(*g->variables));
		g->variables_cap = cap;
	}
	for (; g->variables_len <= v; g->variables_len++) {
		g->variables[g->variables_len].reads.len = 0;
		g->variables[g->variables_len].writes.len = 0;
		*vec_push(&g->variables[g->variables_len].writes) = NODE_INITIAL;
	}
}

static void number_places(struct graph *g, const struct variable *variable, uint32_t from)
{
	for (uint32_t p = from; p < variable->writes.len; p++)
		graph_node(g, variable->writes.items[p])->place = p;
}

static void insert_write(struct graph *g, uint32_t i)
{
	struct variable *variable = graph_variable(g, graph_node(g, i));
	uint32_t place = graph_place(g, graph_node(g, i)->source) + 1;

	vec_push(&variable->writes);
	memmove(variable->writes.items + place + 1, variable->writes.items + place,
		(variable->writes.len - 1 - place) * sizeof(uint32_t));
	variable->writes.items[place] = i;
	number_places(g, variable, place);
}

static void remove_write(struct graph *g, uint32_t i)
{
	struct variable *variable = graph_variable(g, graph_node(g, i));
	uint32_t place = graph_node(g, i)->place;

	variable->writes.len--;
	memmove(variable->writes.items + place, variable->writes.items + place + 1,
		(variable->writes.len - place) * sizeof(uint32_t));
	number_places(g, variable, place);
}

/* ---- what comes before ---- */

static void join(const struct graph *g, uint32_t *into, const uint32_t *from)
{
	vclock_join(into, from, g->width);
}

static void copy(const struct graph *g, uint32_t *into, const uint32_t *from)
{
	memcpy(into, from, g->width * sizeof(*into));
}

static void begin_clocks(struct graph *g, uint32_t i)
{
	const struct node *n = graph_node(g, i);
	uint32_t creator = g->creators[n->thread];

	vec_reserve(&g->clocks, (size_t)(i + 1) * CLOCKS * g->width);
	if (n->before != NODE_NONE) {
		memcpy(clock_of(g, i, CLOCK), clock_of(g, n->before, CLOCK),
		       3ul * g->width * sizeof(uint32_t));
	} else {
		memset(clock_of(g, i, CLOCK), 0, 3ul * g->width * sizeof(uint32_t));
		if (creator != NODE_NONE)
			copy(g, clock_of(g, i, CLOCK), clock_of(g, creator, CLOCK));
	}
	memset(clock_of(g, i, RELEASED), 0, g->width * sizeof(uint32_t));
	if (n->after != NODE_NONE)
		join(g, clock_of(g, i, CLOCK), clock_of(g, n->after, CLOCK));
	clock_of(g, i, CLOCK)[n->thread] = n->number;
}

static void take_source(struct graph *g, uint32_t i)
{
	const struct node *n = graph_node(g, i);

	if (n->is_object && node_reads(n) && acquires(n->order)) {
		uint32_t write = object_released_by(g, n);

		if (write != NODE_INITIAL)
			join(g, clock_of(g, i, CLOCK), clock_of(g, write, RELEASED));
	} else if (!n->is_object && node_reads(n) && n->source != NODE_INITIAL &&
		   n->order != MEMORY_ORDER_NONE) {
		join(g, clock_of(g, i, acquires(n->order) ? CLOCK : SEEN),
		     clock_of(g, n->source, RELEASED));
	}
}

static void give_release(struct graph *g, uint32_t i)
{
	const struct node *n = graph_node(g, i);

	if (n->order == MEMORY_ORDER_NONE)
		return; /* reading a plain write does not synchronise */
	if (releases(n->order))
		copy(g, clock_of(g, i, RELEASED), clock_of(g, i, CLOCK));
	else if (!n->is_object) /* fences work on atomic variables only */
		copy(g, clock_of(g, i, RELEASED), clock_of(g, i, FENCED));
	if (n->kind == NODE_UPDATE && n->source != NODE_INITIAL)
		join(g, clock_of(g, i, RELEASED), clock_of(g, n->source, RELEASED));
}

static void set_clocks(struct graph *g, uint32_t i)
{
	const struct node *n = graph_node(g, i);

	begin_clocks(g, i);
	take_source(g, i);
	if (n->kind == NODE_FENCE && acquires(n->order))
		join(g, clock_of(g, i, CLOCK), clock_of(g, i, SEEN));
	if (n->kind == NODE_FENCE && releases(n->order))
		copy(g, clock_of(g, i, FENCED), clock_of(g, i, CLOCK));
	if (node_writes(n))
		give_release(g, i);
}

/* A word of the set of the node and all before it. */
static uint64_t prefix_with(const struct graph *g, uint32_t node, uint32_t word)
{
	if (node >= NODE_INITIAL)
		return 0;
	return graph_prefix(g, node)[word] |
	       (node / BITSET_WORD == word ? (uint64_t)1 << node % BITSET_WORD : 0);
}

static void set_prefix(struct graph *g, uint32_t i)
{
	const struct node *n = graph_node(g, i);
	uint32_t before = n->before != NODE_NONE ? n->before : g->creators[n->thread];
	uint32_t source = node_reads(n) ? n->source : NODE_INITIAL;

	vec_reserve(&g->prefixes, (size_t)(i + 1) * g->words);
	for (uint32_t w = 0; w < g->words; w++)
		g->prefixes.items[(size_t)i * g->words + w] = prefix_with(g, before, w) |
							      prefix_with(g, n->after, w) |
							      prefix_with(g, source, w);
}

bool graph_happens_before(const struct graph *g, uint32_t x, uint32_t y)
{
	const struct node *n = graph_node(g, x);

	return x != y && clock_of(g, y, CLOCK)[n->thread] >= n->number;
}

/* ---- nodes ---- */

uint32_t graph_push(struct graph *g, const struct node *node)
{
	uint32_t i = graph_len(g);
	struct node_ids *thread = &g->threads[node->thread];
	struct node *n = vec_push(&g->nodes);

	*n = *node;
	n->before = thread->len ? *vec_last(thread) : NODE_NONE;
	*vec_push(thread) = i;
	n->number = (uint32_t)thread->len;
	g->seq_cst += n->order == MEMORY_ORDER_SEQ_CST;
	g->seq_cst_fences += n->order == MEMORY_ORDER_SEQ_CST && n->kind == NODE_FENCE;
	if (n->creates != NODE_NONE)
		g->creators[n->creates] = i;
	if (node_reads(n) || node_writes(n))
		ensure_variable(g, n->variable);
	if (!g->has_no_clocks)
		set_clocks(g, i);
	set_prefix(g, i);
	if (node_writes(n))
		insert_write(g, i);
	if (node_reads(n))
		*vec_push(&graph_variable(g, n)->reads) = i;
	return i;
}

void graph_pop(struct graph *g)
{
	uint32_t i = graph_len(g) - 1;
	const struct node *n = graph_node(g, i);

	if (node_writes(n))
		remove_write(g, i);
	if (node_reads(n))
		graph_variable(g, n)->reads.len--;
	if (n->creates != NODE_NONE)
		g->creators[n->creates] = NODE_NONE;
	g->seq_cst -= n->order == MEMORY_ORDER_SEQ_CST;
	g->seq_cst_fences -= n->order == MEMORY_ORDER_SEQ_CST && n->kind == NODE_FENCE;
	g->threads[n->thread].len--;
	g->nodes.len--;
}

/* ---- consistency ---- */

bool graph_is_atomic(const struct graph *g)
{
	const struct node *n = graph_node(g, graph_len(g) - 1), *next;
	const struct node_ids *writes;

	if (!node_writes(n))
		return true;
	writes = &graph_variable(g, n)->writes;
	if (n->place + 1 == writes->len)
		return true;
	next = graph_node(g, writes->items[n->place + 1]);
	return next->kind != NODE_UPDATE || next->source != n->source;
}

static bool is_known(const struct graph *g, uint32_t x, uint32_t last, enum memory_model model)
{
	if (model == MEMORY_RC11)
		return graph_happens_before(g, x, last);
	return graph_node(g, x)->thread == graph_node(g, last)->thread && x != last;
}

/* Is it the load of the word of a futex, after its thread entered the waiting set? */
static bool is_futex_look(const struct graph *g, const struct node *n)
{
	const struct node *before = n->before == NODE_NONE ? NULL : graph_node(g, n->before);

	return n->is_look && before && before->is_futex && before->action == EVENT_COND_WAIT;
}

bool graph_is_coherent(const struct graph *g, enum memory_model model)
{
	uint32_t last = graph_len(g) - 1;
	const struct node *n = graph_node(g, last);
	const struct variable *variable;
	bool is_look = is_futex_look(g, n);
	uint32_t place;

	if (!node_reads(n) && !node_writes(n))
		return true;
	variable = graph_variable(g, n);
	place = graph_place(g, n->source);
	for (size_t p = place + 1; p < variable->writes.len; p++) {
		uint32_t write = variable->writes.items[p];

		if (is_known(g, write, last, model) ||
		    (is_look && object_is_shown(g, last, write, model)))
			return false;
	}
	for (size_t r = 0; r < variable->reads.len; r++) {
		uint32_t read = variable->reads.items[r];

		if (graph_place(g, graph_node(g, read)->source) > place &&
		    is_known(g, read, last, model))
			return false;
	}
	return true;
}

bool graph_is_ordered(struct graph *g, enum memory_model model)
{
	if (!graph_len(g))
		return true;
	if (model == MEMORY_RC11)
		return !g->seq_cst || graph_is_psc_acyclic(g);
	return graph_is_globally_ordered(g, model);
}

/* Is there a write behind the last node in modification order, or behind the write that it reads? */
static bool leads_on(const struct graph *g)
{
	const struct node *n = graph_node(g, graph_len(g) - 1);
	uint32_t later;

	if (!node_reads(n) && !node_writes(n))
		return false;
	later = node_writes(n) ? n->place : graph_place(g, n->source);
	return later + 1 < graph_variable(g, n)->writes.len;
}

bool graph_stays_ordered(struct graph *g, enum memory_model model)
{
	if (!leads_on(g))
		return true;
	if (model == MEMORY_RC11 && !g->seq_cst_fences)
		return graph_stays_psc_acyclic(g);
	return graph_is_ordered(g, model);
}

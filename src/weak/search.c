#include "weak/search.h"

#include <string.h>

#include "base/mem.h"
#include "weak/maximal.h"
#include "weak/object.h"

/* ---- branches ---- */

void branch_free(struct branch *branch)
{
	mem_free(branch);
}

static struct branch *new_branch(uint32_t len)
{
	struct branch *b = mem_alloc(sizeof(*b) + len * (sizeof(*b->decisions) + 3 * sizeof(uint32_t)));

	*b = (struct branch){.len = len, .decisions = (struct decision *)(b + 1)};
	b->stamps = (uint32_t *)(b->decisions + len);
	b->stamps_write = b->stamps + len;
	b->sources = b->stamps_write + len;
	return b;
}

void search_start(struct search *s, enum memory_model model)
{
	while (s->branches.len)
		branch_free(vec_pop(&s->branches));
	s->model = model;
	s->graph.has_no_clocks = s->changed.has_no_clocks = model == MEMORY_RF;
	s->broken = NULL;
	*vec_push(&s->branches) = new_branch(0);
}

void search_release(struct search *s)
{
	while (s->branches.len)
		branch_free(vec_pop(&s->branches));
	vec_release(&s->branches);
	vec_release(&s->kept);
	vec_release(&s->renamed);
	vec_release(&s->dropped);
	vec_release(&s->moment_nodes);
	vec_release(&s->moment_writes);
	sequence_release(&s->sequence);
	graph_release(&s->graph);
	graph_release(&s->changed);
	reader_release(&s->reader);
}

/* Adds the source that the node of the decision's event has in this graph. */
static void name_source(struct decision *d, const struct graph *g, const struct node *n)
{
	if ((!node_reads(n) && !node_writes(n)) || (n->is_object && !object_reads_any(n)))
		return;
	if (n->source == NODE_INITIAL) {
		d->source = SOURCE_INITIAL;
	} else {
		d->source = source_of_actor(graph_node(g, n->source)->thread);
		d->source_ordinal = graph_node(g, n->source)->number - 1;
	}
}

/* Fills in decision number `at` of the branch, for node x of the graph. */
static void put_decision(const struct search *s, struct branch *b, uint32_t at,
			 const struct graph *g, uint32_t x, uint32_t event)
{
	const struct node *n = graph_node(g, x);

	decision_set(&b->decisions[at], &s->trace->events[event]);
	if (s->model != MEMORY_RF)
		name_source(&b->decisions[at], g, n);
	b->stamps[at] = n->stamp;
	b->stamps_write[at] = n->stamp_write;
	b->sources[at] = n->source;
}

/* The nodes come in the order in which each read reads the last write. */
static void put_sequence(const struct search *s, struct branch *b, const struct graph *g,
			 const uint32_t *ids)
{
	const uint32_t *order = s->sequence.order.items;
	uint32_t places[b->len + 1];

	for (uint32_t at = 0; at < b->len; at++) {
		put_decision(s, b, at, g, order[at], ids ? ids[order[at]] : order[at]);
		places[order[at]] = at;
	}
	for (uint32_t at = 0; at < b->len; at++)
		if (b->sources[at] < NODE_INITIAL)
			b->sources[at] = places[b->sources[at]];
	b->changed = places[b->len - 1];
}

/* Notes the graph as one to go on from. ids[i]: the event of its node i; NULL: event i. With MEMORY_RF its
 * sequence has just been found. */
static struct branch *add_branch(struct search *s, const struct graph *g, const uint32_t *ids)
{
	struct branch *b = new_branch(graph_len(g));

	if (s->model == MEMORY_RF) {
		put_sequence(s, b, g, ids);
	} else {
		for (uint32_t i = 0; i < b->len; i++)
			put_decision(s, b, i, g, i, ids ? ids[i] : i);
		b->changed = b->len - 1;
	}
	*vec_push(&s->branches) = b;
	return b;
}

/* Does the last node, of MEMORY_RF, read a write that was overwritten before it in every order? */
static bool is_read_too_late(const struct graph *g)
{
	uint32_t last = graph_len(g) - 1;
	const struct node *n = graph_node(g, last);
	const struct variable *variable;

	if (!node_reads(n))
		return false;
	variable = graph_variable(g, n);
	for (size_t p = 1; p < variable->writes.len; p++) {
		uint32_t write = variable->writes.items[p];

		if (write != n->source && write != last &&
		    bitset_has(graph_prefix(g, last), write) &&
		    (n->source == NODE_INITIAL || bitset_has(graph_prefix(g, write), n->source)))
			return true;
	}
	return false;
}

/* May the last node be there? */
static bool is_allowed(struct search *s, struct graph *g)
{
	if (s->model == MEMORY_RF)
		return !is_read_too_late(g) && sequence_find(&s->sequence, g, NULL, NULL);
	return graph_is_atomic(g) && graph_is_coherent(g, s->model) &&
	       graph_stays_ordered(g, s->model);
}

/* Of a node that reads: may it read its source, whatever it then writes? */
static bool may_read(struct search *s, struct graph *g, const struct node *node)
{
	struct node read = *node;
	bool may;

	if (read.kind == NODE_UPDATE)
		read.is_barrier = true;
	read.kind = NODE_READ;
	graph_push(g, &read);
	if (s->model == MEMORY_RF)
		may = is_allowed(s, g);
	else
		may = graph_is_coherent(g, s->model) && graph_stays_ordered(g, s->model);
	graph_pop(g);
	return may;
}

/* ---- taking nodes away ---- */

static struct moment moment_of(struct search *s, uint32_t write)
{
	struct graph *g = &s->graph;
	struct moment m = {.graph = g, .needed = graph_prefix(g, write), .last = write};

	if (s->model != MEMORY_RF)
		return m;
	vec_reserve(&s->moment_nodes, g->words);
	vec_reserve(&s->moment_writes, g->words);
	m.sequence = &s->sequence;
	m.nodes = s->moment_nodes.items;
	m.writes = s->moment_writes.items;
	return m;
}

/* Collects the nodes added after `read` that the new write does not need. False if one of them, or
 * `read`, was not added maximally. */
static bool drop_after(struct search *s, uint32_t read, uint32_t write)
{
	struct graph *g = &s->graph;
	uint32_t stamp = graph_node(g, read)->stamp;
	struct moment m = moment_of(s, write);

	vec_reserve(&s->dropped, g->words);
	memset(s->dropped.items, 0, g->words * sizeof(uint64_t));
	if (!moment_is_maximal(m, read))
		return false;
	for (uint32_t x = 0; x < graph_len(g); x++) {
		if (x == read || x == write || graph_node(g, x)->stamp <= stamp ||
		    bitset_has(m.needed, x))
			continue;
		if (!moment_is_maximal(m, x))
			return false;
		bitset_add(s->dropped.items, x);
	}
	bitset_add(s->dropped.items, read);
	if (m.sequence)
		bitset_foreach (x, s->dropped.items, g->words)
			if (!moment_is_canonical(m, (uint32_t)x))
				return false;
	return true;
}

static uint32_t rename_node(const struct search *s, uint32_t x)
{
	return x >= NODE_INITIAL ? x : s->renamed.items[x];
}

/* The write that a write comes after, among those that are in `changed` by now. */
static uint32_t kept_before(const struct search *s, const struct node *n)
{
	const struct node_ids *writes = &graph_variable(&s->graph, n)->writes;
	uint32_t p = n->place;

	while (--p > 0)
		if (rename_node(s, writes->items[p]) != NODE_NONE)
			return rename_node(s, writes->items[p]);
	return NODE_INITIAL;
}

static void push_kept(struct search *s, uint32_t x)
{
	struct node n = *graph_node(&s->graph, x);

	n.source = n.kind == NODE_WRITE ? kept_before(s, &n) : rename_node(s, n.source);
	n.after = rename_node(s, n.after);
	s->renamed.items[x] = graph_push(&s->changed, &n);
	*vec_push(&s->kept) = x;
}

/* The graph without the nodes that were dropped, and without the new write. */
static void build_changed(struct search *s, uint32_t write)
{
	uint32_t len = graph_len(&s->graph);

	graph_start(&s->changed, s->graph.width, len + 1);
	s->kept.len = 0;
	vec_reserve(&s->renamed, len);
	for (uint32_t x = 0; x < len; x++)
		s->renamed.items[x] = NODE_NONE;
	for (uint32_t x = 0; x < len; x++)
		if (x != write && !bitset_has(s->dropped.items, x))
			push_kept(s, x);
}

/* Decides the effect of the step on an object after its source. */
static enum object_answer ask_object(const struct search *s, const struct graph *g,
				     struct node *node)
{
	return object_answer(g, s->reader.initials.items[node->variable], node);
}

/* ---- revisits ---- */

static uint64_t expected_by(const struct event *cas)
{
	return cas->flags & EVENT_FAILED ? cas->weak.written : cas->value;
}

/* The last node of `changed` is the new write; `read` now reads it. `written` is NULL if the value
 * is not known. */
static void try_reader(struct search *s, uint32_t read, const uint64_t *written)
{
	const struct event *event = &s->trace->events[read];
	struct node n = *graph_node(&s->graph, read);
	bool is_cas = event->kind == EVENT_CAS, is_guess = false, succeeds = false;

	n.source = graph_len(&s->changed) - 1;
	n.after = NODE_NONE;
	n.stamp_write = graph_node(&s->changed, n.source)->stamp_write + 1;
	if (n.is_object)
		ask_object(s, &s->changed, &n);
	if (is_cas && written && access_bytes(&event->accesses[0]) <= sizeof(*written)) {
		succeeds = *written == expected_by(event);
		reader_set_success(event, &n, succeeds);
	} else if (is_cas) {
		is_guess = true;
		reader_set_success(event, &n, false);
		if (s->model != MEMORY_RF && !may_read(s, &s->changed, &n))
			reader_set_success(event, &n, true);
	}
	if (s->model != MEMORY_RF && !may_read(s, &s->changed, &n))
		return;
	graph_push(&s->changed, &n);
	*vec_push(&s->kept) = read;
	if (s->model != MEMORY_RF) /* there an update may be where a read may be */
		is_guess |= n.kind == NODE_UPDATE && !is_allowed(s, &s->changed);
	if (s->model != MEMORY_RF || is_allowed(s, &s->changed))
		add_branch(s, &s->changed, s->kept.items)->is_guess = is_guess;
	s->kept.len--;
	graph_pop(&s->changed);
}

/* The new write, with this source, is pushed to `changed`, if it may be there. */
static void try_write(struct search *s, uint32_t write, uint32_t source, uint32_t read,
		      const uint64_t *written)
{
	struct node n = *graph_node(&s->graph, write);

	n.source = source;
	if (n.is_object && n.kind == NODE_UPDATE)
		ask_object(s, &s->changed, &n);
	graph_push(&s->changed, &n);
	*vec_push(&s->kept) = write;
	if (is_allowed(s, &s->changed))
		try_reader(s, read, written);
	s->kept.len--;
	graph_pop(&s->changed);
}

/* The new write is pushed to `changed` at each place of modification order that it may have. */
static void try_write_places(struct search *s, uint32_t write, uint32_t read,
			     const uint64_t *written)
{
	const struct node *n = graph_node(&s->graph, write);
	const struct node_ids *writes;

	if (n->kind == NODE_UPDATE) {
		try_write(s, write, rename_node(s, n->source), read, written);
		return;
	}
	if (n->variable >= s->changed.variables_len) {
		try_write(s, write, NODE_INITIAL, read, written);
		return;
	}
	writes = &s->changed.variables[n->variable].writes;
	if (s->model == MEMORY_RF) {
		try_write(s, write, *vec_last(writes), read, written);
		return;
	}
	for (size_t p = 0; p < writes->len; p++)
		try_write(s, write, writes->items[p], read, written);
}

/* Earlier reads could read the new write. */
static void revisit(struct search *s, uint32_t write, bool is_value_known)
{
	struct graph *g = &s->graph;
	const struct node *n = graph_node(g, write);
	const struct variable *variable = graph_variable(g, n);
	const uint64_t *written = is_value_known ? &s->trace->events[write].weak.written : NULL;

	for (size_t i = 0; i < variable->reads.len; i++) {
		uint32_t read = variable->reads.items[i];

		if (read == write || bitset_has(graph_prefix(g, write), read) ||
		    !drop_after(s, read, write))
			continue;
		build_changed(s, write);
		try_write_places(s, write, read, written);
	}
}

/* ---- other choices for the last node ---- */

static void try_source(struct search *s, const struct node *node)
{
	struct graph *g = &s->graph;

	if (!may_read(s, g, node))
		return;
	graph_push(g, node);
	if (node->kind == NODE_READ || is_allowed(s, g))
		add_branch(s, g, NULL);
	else
		revisit(s, graph_len(g) - 1, false);
	graph_pop(g);
}

/* Is there a write behind this place in modification order? Writes of void turns do not count, because
 * they leave the value as it was. */
static bool is_overwritten(const struct search *s, const struct variable *variable, uint32_t place)
{
	for (size_t p = place + 1; p < variable->writes.len; p++)
		if (!(s->trace->events[variable->writes.items[p]].flags & EVENT_VOID))
			return true;
	return false;
}

/* Would the load look in vain at a value that is not the last? The look would not be maximal, so no
 * revisit ever takes it away, and the thread waits in all that follow: there is a run in which the
 * look sees the last value. */
static bool is_vain_source(const struct search *s, const struct event *event, const struct node *n,
			   uint32_t place)
{
	return event->kind == EVENT_LOAD && place < 64 && !(event->weak.matches >> place & 1) &&
	       is_overwritten(s, graph_variable(&s->graph, n), place);
}

/* The last node reads another write. */
static void try_sources(struct search *s)
{
	struct graph *g = &s->graph;
	uint32_t last = graph_len(g) - 1;
	const struct event *event = &s->trace->events[last];
	struct node ran = *graph_node(g, last), other = ran;
	uint32_t place = graph_place(g, ran.source);

	graph_pop(g);
	for (uint32_t p = 0; p < graph_variable(g, &ran)->writes.len; p++) {
		if (p == place || is_vain_source(s, event, &ran, p))
			continue;
		other.source = graph_variable(g, &ran)->writes.items[p];
		if (event->kind == EVENT_CAS)
			reader_set_success(event, &other, event->weak.matches >> p & 1);
		else if (ran.is_object && ask_object(s, g, &other) == OBJECT_WAITS)
			continue; /* to wait for a lock that was given back leads nowhere */
		try_source(s, &other);
	}
	graph_push(g, &ran);
	if (ran.kind == NODE_UPDATE)
		revisit(s, last, true);
}

/* The last node, a store, comes elsewhere in modification order. */
static void try_places(struct search *s)
{
	struct graph *g = &s->graph;
	struct node ran = *graph_node(g, graph_len(g) - 1), other = ran;
	uint32_t place = graph_place(g, ran.source);

	revisit(s, graph_len(g) - 1, s->trace->events[graph_len(g) - 1].kind != EVENT_PLAIN_WRITE);
	if (s->model == MEMORY_RF)
		return;
	graph_pop(g);
	for (uint32_t p = 0; p < graph_variable(g, &ran)->writes.len; p++) {
		if (p == place)
			continue;
		other.source = graph_variable(g, &ran)->writes.items[p];
		graph_push(g, &other);
		if (is_allowed(s, g))
			add_branch(s, g, NULL);
		graph_pop(g);
	}
	graph_push(g, &ran);
}

static void take_added(struct search *s)
{
	uint32_t last = graph_len(&s->graph) - 1;
	const struct event *event = &s->trace->events[last];
	const struct node *n = graph_node(&s->graph, last);

	if (s->model != MEMORY_RF && !is_allowed(s, &s->graph))
		s->broken = "a step that every memory model allows was not allowed";
	if (event->kind == EVENT_PLAIN_WRITE && !(event->flags & EVENT_EXPOSED))
		return; /* comes last in every graph without a data race */
	else if (node_reads(n))
		try_sources(s);
	else if (n->kind == NODE_WRITE)
		try_places(s);
}

static void check_object(struct search *s, const struct node *n)
{
	if (!reader_agrees(&s->reader, &s->graph, n))
		s->broken = "a lock or the like did not do what its model says";
}

/* Did the node of a branch get the source that was wanted? Named sources are followed in any case. */
static void check_source(struct search *s, const struct branch *b, uint32_t i, const struct node *n)
{
	if ((n->is_object || (s->model == MEMORY_RF && node_reads(n))) &&
	    n->source != b->sources[i])
		s->broken = "a step of a branch read another write than it should";
}

static bool take_branch(struct search *s, const struct branch *b, uint32_t *stamp)
{
	struct graph *g = &s->graph;

	for (uint32_t i = 0; i < b->len; i++) {
		struct node n = reader_node(&s->reader, g, s->trace, i);

		n.stamp = b->stamps[i];
		n.stamp_write = b->stamps_write[i];
		*stamp = n.stamp_write >= *stamp ? n.stamp_write + 1 : *stamp;
		if (b->is_guess && i == b->changed && s->model != MEMORY_RF && !may_read(s, g, &n))
			return false;
		check_source(s, b, i, &n);
		check_object(s, &n);
		graph_push(g, &n);
	}
	if (b->len && graph_node(g, b->changed)->kind == NODE_UPDATE)
		revisit(s, b->changed, true);
	return !b->is_guess || s->model == MEMORY_RF || is_allowed(s, g);
}

/* Did the branch end with a look of a spin loop that was in vain (is_vain_source)? */
static bool is_vain(const struct search *s, const struct branch *b)
{
	const struct node *n;

	if (!b->len || !(s->trace->events[b->changed].flags & EVENT_VOID))
		return false;
	n = graph_node(&s->graph, b->changed);
	return n->kind == NODE_READ && !n->is_object &&
	       is_overwritten(s, graph_variable(&s->graph, n), graph_place(&s->graph, n->source));
}

bool search_take(struct search *s, const struct branch *branch, const struct trace *trace)
{
	uint32_t stamp = 1;

	s->trace = trace;
	reader_start(&s->reader);
	graph_start(&s->graph, trace->actors_len, trace->events_len);
	if (!take_branch(s, branch, &stamp))
		return false;
	if (is_vain(s, branch))
		return true;
	for (uint32_t i = branch->len; i < trace->events_len; i++) {
		struct node n = reader_node(&s->reader, &s->graph, trace, i);

		n.stamp = stamp++;
		n.stamp_write = stamp++;
		check_object(s, &n);
		graph_push(&s->graph, &n);
		take_added(s);
	}
	return true;
}

/* Threads that were joined are before the end; others may be running when it comes. A run with a finding
 * counts only if the search goes on (--keep-going). */
bool search_ended_last(const struct search *s)
{
	const struct graph *g = &s->graph;
	const struct trace *t = s->trace;
	uint32_t last = graph_len(g) - 1;

	if (t->end == END_ABORT || t->end == END_CRASH || t->end == END_EXIT)
		return !t->pending_len;
	if (t->end != END_DONE || !graph_len(g) || t->events[last].kind != EVENT_EXIT)
		return true;
	if (t->pending_len)
		return false;
	for (uint32_t x = 0; x < last; x++)
		if (!bitset_has(graph_prefix(g, last), x))
			return false;
	return true;
}

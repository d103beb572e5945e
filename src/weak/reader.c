#include "weak/reader.h"

#include "core/object.h"
#include "weak/object.h"

void reader_start(struct reader *r)
{
	map_clear(&r->variables);
	map_clear(&r->rounds);
	r->initials.len = 0;
	r->variables_len = 0;
	r->last_unmodelled = NODE_NONE;
	r->is_lenient = false;
}

void reader_release(struct reader *r)
{
	map_release(&r->variables);
	map_release(&r->rounds);
	vec_release(&r->initials);
}

static bool is_modelled(const struct event *e)
{
	switch (e->kind) {
	case EVENT_JOIN: /* one that cannot fail */
		return event_joined(e) != ACTOR_NONE && !(e->flags & EVENT_TRY);
	case EVENT_CREATE:
	case EVENT_FINISH:
	case EVENT_DETACH:
	case EVENT_EXIT:
	case EVENT_ABORT:
	case EVENT_CRASH:
	case EVENT_FENCE:
		return true;
	case EVENT_LOAD:
	case EVENT_STORE:
	case EVENT_RMW:
	case EVENT_CAS:
	case EVENT_PLAIN_READ:
	case EVENT_PLAIN_WRITE:
		return event_has_source(e);
	case EVENT_BARRIER_LEAVE:
		return true;
	default:
		return object_is_modelled(e);
	}
}

uint32_t reader_unmodelled(const struct trace *trace)
{
	uint32_t i = 0;

	while (i < trace->events_len && is_modelled(&trace->events[i]))
		i++;
	return i;
}

static uint32_t variable_of(struct reader *r, uint64_t object, uint32_t found)
{
	bool is_new;
	uint64_t *index = map_put(&r->variables, object, &is_new);

	if (is_new) {
		*index = ++r->variables_len;
		*vec_push(&r->initials) = found;
	}
	return (uint32_t)*index - 1;
}

static uint32_t node_kind(const struct event *e)
{
	switch (e->kind) {
	case EVENT_LOAD:
	case EVENT_PLAIN_READ:
		return NODE_READ;
	case EVENT_STORE:
	case EVENT_PLAIN_WRITE:
		return NODE_WRITE;
	case EVENT_RMW:
		return NODE_UPDATE;
	case EVENT_CAS:
		return e->flags & EVENT_FAILED ? NODE_READ : NODE_UPDATE;
	case EVENT_FENCE:
		return NODE_FENCE;
	default:
		return NODE_LOCAL;
	}
}

/* The last node of a thread that was joined; if it took no step, the node that created it. */
static uint32_t end_of(const struct graph *g, uint32_t thread)
{
	if (thread >= g->width)
		return NODE_NONE;
	return g->threads[thread].len ? *vec_last(&g->threads[thread]) : g->creators[thread];
}

/* An object is used in the order of the trace. */
static uint32_t last_write(const struct graph *g, uint32_t variable)
{
	return variable < g->variables_len ? *vec_last(&g->variables[variable].writes)
					   : (uint32_t)NODE_INITIAL;
}

static uint32_t named_write(const struct graph *g, const struct event *e)
{
	uint32_t thread = e->weak.source - SOURCE_FIRST_ACTOR, number = e->weak.source_ordinal;

	if (e->weak.source == SOURCE_INITIAL)
		return NODE_INITIAL;
	/* A program that overwrites its trace must not make the tool read elsewhere. */
	return number < g->threads[thread].len ? g->threads[thread].items[number]
					       : (uint32_t)NODE_INITIAL;
}

/* The node that a failed try named as its source, if it is a write of the object. */
static uint32_t write_tried(const struct graph *g, const struct event *e, const struct node *n)
{
	uint32_t write = named_write(g, e);

	if (write == NODE_INITIAL || (node_writes(graph_node(g, write)) &&
				      graph_node(g, write)->variable == n->variable))
		return write;
	return last_write(g, n->variable);
}

static void read_object(struct reader *r, const struct graph *g, const struct event *e,
			struct node *n)
{
	object_read(e, n);
	n->is_object = true;
	n->variable = variable_of(r, object_of(e), n->found);
	n->source = n->kind == NODE_READ && event_has_source(e) ? write_tried(g, e, n)
								: last_write(g, n->variable);
	object_place(g, n);
	if (e->kind == EVENT_BARRIER_ARRIVE)
		*map_put(&r->rounds, e->accesses[1].object, NULL) = graph_len(g);
}

static void read_access(struct reader *r, const struct graph *g, const struct event *e,
			struct node *n)
{
	n->variable = variable_of(r, e->accesses[0].object, 0);
	n->is_barrier = e->kind == EVENT_CAS;
	n->is_look = e->kind == EVENT_LOAD && e->flags & EVENT_BY_KERNEL;
	n->source = named_write(g, e);
}

static void read_unmodelled(struct reader *r, const struct graph *g, struct node *n)
{
	n->after = r->last_unmodelled;
	r->last_unmodelled = graph_len(g);
}

/* A thread that leaves a barrier comes after all arrivals of its round. */
static uint32_t arrival_before(const struct reader *r, const struct event *leaves)
{
	const uint64_t *node = map_get(&r->rounds, leaves->accesses[0].object);

	return node ? (uint32_t)*node : (uint32_t)NODE_NONE;
}

struct node reader_node(struct reader *r, const struct graph *g, const struct trace *trace,
			uint32_t step)
{
	const struct event *e = &trace->events[step];
	struct node n = {.thread = e->actor, .after = NODE_NONE, .source = NODE_NONE,
			 .creates = NODE_NONE, .order = e->memory_order,
			 .kind = (uint8_t)node_kind(e)};

	if (node_reads(&n) || node_writes(&n))
		read_access(r, g, e, &n);
	else if (object_is_modelled(e) || (r->is_lenient && object_waited(e)))
		read_object(r, g, e, &n);
	else if (r->is_lenient && !is_modelled(e))
		read_unmodelled(r, g, &n);
	if (event_created(e) != ACTOR_NONE)
		n.creates = event_created(e);
	if (event_joined(e) != ACTOR_NONE)
		n.after = end_of(g, event_joined(e));
	else if (e->kind == EVENT_BARRIER_LEAVE)
		n.after = arrival_before(r, e);
	return n;
}

bool reader_agrees(const struct reader *r, const struct graph *g, const struct node *n)
{
	if (r->is_lenient && !object_reads_any(n))
		return true;
	return !n->is_object || object_agrees(g, r->initials.items[n->variable], n);
}

void reader_set_success(const struct event *e, struct node *n, bool succeeds)
{
	bool succeeded = !(e->flags & EVENT_FAILED);

	n->kind = succeeds ? NODE_UPDATE : NODE_READ;
	n->order = succeeds == succeeded ? e->memory_order : e->other_order;
}

bool reader_is_allowed(const struct trace *trace)
{
	struct graph graph = {0};
	struct reader reader = {0};
	uint32_t len = trace->events_len;
	bool is_allowed = true;

	if (!memory_is_weak(trace->memory) || !(trace->assumed & ASSUMED_WEAKER))
		return true;
	reader_start(&reader);
	reader.is_lenient = reader_unmodelled(trace) < len;
	graph_start(&graph, trace->actors_len, len);
	for (uint32_t i = 0; i < len && is_allowed; i++) {
		struct node node = reader_node(&reader, &graph, trace, i);

		is_allowed = reader_agrees(&reader, &graph, &node);
		graph_push(&graph, &node);
		is_allowed = is_allowed && graph_is_atomic(&graph) &&
			     graph_is_coherent(&graph, trace->memory);
	}
	is_allowed = is_allowed && graph_is_ordered(&graph, trace->memory);
	graph_release(&graph);
	reader_release(&reader);
	return is_allowed;
}

#include "weak/reader.h"

#include "core/object.h"

void reader_start(struct reader *r)
{
	map_clear(&r->variables);
	r->variables_len = 0;
}

void reader_release(struct reader *r)
{
	map_release(&r->variables);
}

static bool is_modelled(const struct event *e)
{
	switch (e->kind) {
	case EVENT_CREATE:
	case EVENT_JOIN:
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
	case EVENT_PLAIN_WRITE:
		return event_has_source(e);
	case EVENT_LOCK: /* EVENT_TRY: of a mutex, without a time limit */
	case EVENT_ONCE:
		return e->access_len == 1 && e->flags & EVENT_TRY;
	case EVENT_UNLOCK:
		return e->access_len == 1;
	case EVENT_ONCE_DONE: /* not left by an exception */
		return e->access_len == 1 && !(e->flags & EVENT_FAILED);
	case EVENT_IO_WRITE: /* printing; always possible, as flockfile() is not modelled */
		return e->access_len == 1 && (e->accesses[0].mode == ACCESS_WRITE ||
					      e->accesses[0].mode == ACCESS_ACQUIRE);
	default:
		return false;
	}
}

uint32_t reader_unmodelled(const struct trace *trace)
{
	uint32_t i = 0;

	while (i < trace->events_len && is_modelled(&trace->events[i]))
		i++;
	return i;
}

static uint32_t variable_of(struct reader *r, uint64_t object)
{
	bool is_new;
	uint64_t *index = map_put(&r->variables, object, &is_new);

	if (is_new)
		*index = ++r->variables_len;
	return (uint32_t)*index - 1;
}

static uint32_t node_kind(const struct event *e)
{
	switch (e->kind) {
	case EVENT_LOAD:
		return NODE_READ;
	case EVENT_STORE:
	case EVENT_PLAIN_WRITE:
	case EVENT_UNLOCK:
	case EVENT_ONCE_DONE:
		return NODE_WRITE;
	case EVENT_RMW:
	case EVENT_IO_WRITE:
		return NODE_UPDATE;
	case EVENT_ONCE: /* failed: it waits; shared: it finds that all is done */
		return e->accesses[0].mode == ACCESS_ACQUIRE ? NODE_UPDATE : NODE_READ;
	case EVENT_LOCK: /* failed: it waits */
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

/* A mutex or a file is used in the order of the trace. */
static uint32_t last_write(const struct graph *g, uint32_t variable)
{
	return variable < g->variables_len ? *vec_last(&g->variables[variable].writes)
					   : (uint32_t)NODE_INITIAL;
}

static void read_access(struct reader *r, const struct graph *g, const struct event *e,
			struct node *n)
{
	n->variable = variable_of(r, e->accesses[0].object);
	n->is_object = !event_has_source(e);
	n->is_barrier = e->kind == EVENT_CAS;
	if (n->is_object) {
		n->order = e->kind == EVENT_IO_WRITE ? MEMORY_ORDER_RELAXED
			   : n->kind == NODE_WRITE   ? MEMORY_ORDER_RELEASE
						     : MEMORY_ORDER_ACQUIRE;
		n->source = last_write(g, n->variable);
	} else if (e->weak.source == SOURCE_INITIAL) {
		n->source = NODE_INITIAL;
	} else {
		uint32_t thread = e->weak.source - SOURCE_FIRST_ACTOR;
		uint32_t number = e->weak.source_ordinal;

		/* A program that overwrites its trace must not make the tool read elsewhere. */
		n->source = number < g->threads[thread].len ? g->threads[thread].items[number]
							    : (uint32_t)NODE_INITIAL;
	}
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
	if (event_created(e) != ACTOR_NONE)
		n.creates = event_created(e);
	if (event_joined(e) != ACTOR_NONE)
		n.after = end_of(g, event_joined(e));
	return n;
}

void reader_set_success(const struct event *e, struct node *n, bool succeeds)
{
	bool succeeded = !(e->flags & EVENT_FAILED);

	n->kind = succeeds ? NODE_UPDATE : NODE_READ;
	n->order = succeeds == succeeded ? e->memory_order : e->other_order;
}

/* Did each access read, or come after, the last write before it in the trace? */
static bool is_sequential(const struct trace *trace)
{
	struct map last = {0}; /* object -> source and ordinal of its last write */
	bool is_sequential = true;

	for (uint32_t i = 0; i < trace->events_len && is_sequential; i++) {
		const struct event *e = &trace->events[i];
		uint64_t *write;
		bool is_new;

		if (!event_has_source(e))
			continue;
		write = map_put(&last, e->accesses[0].object, &is_new);
		if (is_new)
			*write = (uint64_t)SOURCE_INITIAL << 32;
		is_sequential = *write >> 32 == e->weak.source &&
				(uint32_t)*write == e->weak.source_ordinal;
		if (node_kind(e) != NODE_READ)
			*write = (uint64_t)source_of_actor(e->actor) << 32 | e->ordinal;
	}
	map_release(&last);
	return is_sequential;
}

bool reader_is_allowed(const struct trace *trace)
{
	struct graph graph = {0};
	struct reader reader = {0};
	uint32_t len = reader_unmodelled(trace);
	bool is_allowed = true;

	if (trace->memory == MEMORY_SC)
		return true;
	if (len < trace->events_len)
		return is_sequential(trace);
	graph_start(&graph, trace->actors_len, len);
	for (uint32_t i = 0; i < len && is_allowed; i++) {
		struct node node = reader_node(&reader, &graph, trace, i);

		graph_push(&graph, &node);
		is_allowed = graph_is_atomic(&graph) && graph_is_coherent(&graph, trace->memory);
	}
	is_allowed = is_allowed && graph_is_ordered(&graph, trace->memory);
	graph_release(&graph);
	reader_release(&reader);
	return is_allowed;
}

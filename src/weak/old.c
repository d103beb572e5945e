/* old.c: samplers under a weak memory model.
 *
 * A sampler chooses the actor that goes next and knows nothing of values: in its runs each load
 * reads the last write. This strategy is put around it. After each run of the sampler some further
 * runs follow. Each begins like the run before it, and then lets one load read an older write that
 * the memory model allows there, or places one store earlier in modification order. The sampler
 * chooses the rest of the run:
 *
 *	run of the sampler   T1: x = 1, y = 1   T2: r = y (1), s = x (1)
 *	next run             T1: x = 1, y = 1   T2: r = y (1), s = x (0), …
 *
 * Each of these runs changes a later step than the one before, so a run may have several old values.
 * The oldest write that may be read is the most likely.
 */
#include "base/mem.h"
#include "base/rng.h"
#include "strategy/strategy.h"
#include "weak/object.h"
#include "weak/reader.h"

enum {
	EVENTS_MAX = 4000, /* of a run that is changed: graphs grow with the square */
	CHANGES_MAX = 8,   /* runs one after another, each from the one before */
};

struct old {
	struct strategy base;
	struct strategy *sampler;
	enum memory_model model;
	uint64_t seed;
	struct rng rng;
	struct schedule schedule; /* the last one of the sampler */
	struct trace *trace;      /* of the last run; owned; NULL: not to be changed */
	uint32_t changes_left;
	uint32_t from;            /* the next change is here or later in the trace */
	bool is_changed;          /* the schedule handed out last is a changed one */
	struct reader reader;
	struct graph graph;
	VEC(struct decision) decisions;
};

/* Pushes the node with this source, if the model allows it. */
static bool is_allowed(struct old *o, const struct node *n)
{
	bool is_allowed;

	graph_push(&o->graph, n);
	is_allowed = graph_is_atomic(&o->graph) && graph_is_coherent(&o->graph, o->model) &&
		     graph_is_ordered(&o->graph, o->model);
	graph_pop(&o->graph);
	return is_allowed;
}

/* The event as it would be if it came after this write. False if it cannot. */
static bool place_after(struct old *o, const struct event *e, uint32_t place, struct node *n)
{
	n->source = graph_variable(&o->graph, n)->writes.items[place];
	if (n->is_object)
		return object_answer(&o->graph, o->reader.initials.items[n->variable], n) ==
		       OBJECT_FAILS;
	if (e->kind == EVENT_CAS)
		reader_set_success(e, n, e->weak.matches >> place & 1);
	return true;
}

/* Another source for the event whose node is to be pushed next: the oldest of those that may be, or
 * by chance a newer one. */
static bool choose_source(struct old *o, const struct event *e, const struct node *ran,
			  struct node *chosen)
{
	bool is_found = false;

	if ((ran->is_object ? !object_is_try(ran) : !event_has_source(e)) ||
	    (e->kind == EVENT_PLAIN_WRITE && !(e->flags & EVENT_EXPOSED)) ||
	    ran->variable >= o->graph.variables_len)
		return false;
	for (uint32_t p = 0; p < graph_variable(&o->graph, ran)->writes.len; p++) {
		struct node n = *ran;

		if (!place_after(o, e, p, &n) || n.source == ran->source || !is_allowed(o, &n))
			continue;
		if (!is_found || rng_below(&o->rng, 2))
			*chosen = n;
		is_found = true;
		if (rng_below(&o->rng, 2))
			break;
	}
	return is_found;
}

static void name_source(const struct graph *g, const struct node *n, struct decision *d)
{
	if (n->source == NODE_INITIAL) {
		d->source = SOURCE_INITIAL;
		d->source_ordinal = 0;
		return;
	}
	d->source = source_of_actor(graph_node(g, n->source)->thread);
	d->source_ordinal = graph_node(g, n->source)->number - 1;
}

/* Changes the first step at or after `from` that can be changed. */
static bool change_after(struct old *o, uint32_t from)
{
	const struct trace *t = o->trace;

	reader_start(&o->reader);
	o->reader.is_lenient = true;
	graph_start(&o->graph, t->actors_len, t->events_len);
	o->decisions.len = 0;
	for (uint32_t i = 0; i < t->events_len; i++) {
		const struct event *e = &t->events[i];
		struct node n = reader_node(&o->reader, &o->graph, t, i), other = n;

		*vec_push(&o->decisions) = decision_as_ran(e);
		if (i >= from && choose_source(o, e, &n, &other)) {
			name_source(&o->graph, &other, vec_last(&o->decisions));
			o->from = i + 1;
			return true;
		}
		graph_push(&o->graph, &n);
	}
	return false;
}

static bool next_change(struct old *o, struct schedule *schedule)
{
	uint32_t from;

	if (!o->trace || !o->changes_left || o->from >= o->trace->events_len)
		return false;
	from = o->from + (uint32_t)rng_below(&o->rng, o->trace->events_len - o->from);
	if (!change_after(o, from) && !change_after(o, o->from))
		return false;
	o->changes_left--;
	*schedule = o->schedule;
	schedule->decisions = o->decisions.items;
	schedule->decisions_len = (uint32_t)o->decisions.len;
	schedule->seed = rng_next(&o->rng);
	return true;
}

static void drop_trace(struct old *o)
{
	mem_free(o->trace);
	o->trace = NULL;
}

static bool old_next(struct strategy *self, struct schedule *schedule, const struct trace **known)
{
	struct old *o = (struct old *)self;

	*known = NULL;
	o->is_changed = next_change(o, schedule);
	if (o->is_changed)
		return true;
	drop_trace(o);
	if (!o->sampler->ops->next(o->sampler, schedule, known))
		return false;
	o->schedule = *schedule;
	o->changes_left = (uint32_t)rng_below(&o->rng, CHANGES_MAX + 1);
	o->from = 0;
	return true;
}

/* A library that waits with futexes asks whether somebody waits before it wakes, and trusts the
 * hardware or the kernel for more order than its atomics have by the standard. With old values such
 * a wait may never end, which says nothing about the program. */
static bool old_is_possible(struct strategy *self, const struct trace *trace)
{
	const struct old *o = (const struct old *)self;

	if (!o->is_changed || trace->end != END_DEADLOCK)
		return true;
	for (uint32_t i = 0; i < trace->pending_len; i++)
		if (trace->pending[i].kind == EVENT_FUTEX_WAIT ||
		    trace->pending[i].kind == EVENT_FUTEX_BLOCK)
			return false;
	return true;
}

static void old_learn(struct strategy *self, const struct trace *trace)
{
	struct old *o = (struct old *)self;

	if (!o->is_changed)
		o->sampler->ops->learn(o->sampler, trace);
	drop_trace(o);
	if (o->changes_left && trace->assumed & ASSUMED_WEAKER && trace->events_len <= EVENTS_MAX)
		o->trace = trace_copy(trace);
}

static void old_restart(struct strategy *self)
{
	struct old *o = (struct old *)self;

	drop_trace(o);
	o->rng = rng_seeded(o->seed);
	o->sampler->ops->restart(o->sampler);
}

static double old_progress(const struct strategy *self)
{
	return -1;
}

static void old_free(struct strategy *self)
{
	struct old *o = (struct old *)self;

	drop_trace(o);
	graph_release(&o->graph);
	reader_release(&o->reader);
	vec_release(&o->decisions);
	o->sampler->ops->free(o->sampler);
	mem_free(o);
}

static const struct strategy_ops old_ops = {
	.next = old_next,
	.is_possible = old_is_possible,
	.learn = old_learn,
	.restart = old_restart,
	.progress = old_progress,
	.free = old_free,
};

struct strategy *strategy_old_values(struct strategy *sampler, const struct strategy_params *params)
{
	struct old *o = mem_zalloc(sizeof(*o));

	o->base.ops = &old_ops;
	o->sampler = sampler;
	o->model = params->memory;
	o->seed = params->seed;
	o->rng = rng_seeded(params->seed);
	return &o->base;
}

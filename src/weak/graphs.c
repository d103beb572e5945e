/* graphs.c: the strategy for weak memory models: one run per execution graph (search.h).
 *
 * If all atomics are seq_cst and no data race exists, every run is sequentially consistent
 * under RC11 and TSO alike. So the strategy begins as dpor, which knows all kinds of steps. The
 * first weaker atomic makes the target begin anew (END_RELEARN), and from then on each trace has
 * ASSUMED_WEAKER set: then the graphs are searched. The first run serves both.
 *
 * With MEMORY_RF (--equivalence rf) the traces have ASSUMED_WEAKER set from the first one on. If a run has
 * a step that graphs without modification order do not cover, the target gives the relation up, and
 * dpor makes the search. */
#include <stdio.h>

#include "base/mem.h"
#include "strategy/strategy.h"
#include "weak/search.h"

enum mode { MODE_UNKNOWN, MODE_DPOR, MODE_GRAPHS };

/* A branch that was run ahead. */
struct ready {
	struct branch *branch;
	struct trace *trace; /* owned; NULL: not offered */
	bool is_possible;
};

struct graphs {
	struct strategy base;
	struct strategy *dpor;
	struct search search;
	enum memory_model model;
	bool ignores_races;
	enum mode mode;
	struct branch *current; /* handed out; NULL in mode UNKNOWN: the branch of no decisions */
	struct trace *known;    /* its trace, if it was run ahead */
	bool is_known_possible;
	VEC(struct ready) ahead; /* handed out by graphs_ahead */
	VEC(struct ready) ready; /* offered, and not yet asked for */
	uint32_t shortest; /* MEMORY_RF: events of the shortest run; 0: no run yet */
	char left_out[160];
	char uncovered[96];
};

static void free_current(struct graphs *g)
{
	branch_free(g->current);
	mem_free(g->known);
	g->current = NULL;
	g->known = NULL;
}

/* Branches of which no trace came back are run later. */
static void collect_ahead(struct graphs *g)
{
	while (g->ahead.len) {
		struct ready r = vec_pop(&g->ahead);

		if (r.trace)
			*vec_push(&g->ready) = r;
		else
			*vec_push(&g->search.branches) = r.branch;
	}
}

static bool next_graph(struct graphs *g, struct schedule *schedule, const struct trace **known)
{
	free_current(g);
	collect_ahead(g);
	if (g->ready.len) {
		struct ready r = vec_pop(&g->ready);

		g->current = r.branch;
		*known = g->known = r.trace;
		g->is_known_possible = r.is_possible;
	} else if (g->search.branches.len) {
		g->current = vec_pop(&g->search.branches);
	} else {
		return false;
	}
	schedule->decisions = g->current->decisions;
	schedule->decisions_len = g->current->len;
	return true;
}

static bool graphs_next(struct strategy *self, struct schedule *schedule,
			const struct trace **known)
{
	struct graphs *g = (struct graphs *)self;
	bool is_next;

	*schedule = (struct schedule){.tail = TAIL_LOWEST};
	*known = NULL;
	if (g->mode == MODE_GRAPHS)
		return next_graph(g, schedule, known);
	is_next = g->dpor->ops->next(g->dpor, schedule, known);
	if (g->mode == MODE_UNKNOWN)
		schedule->tail = TAIL_LOWEST; /* dpor takes any tail */
	return is_next;
}

static uint32_t graphs_ahead(struct strategy *self, struct schedule *schedules, uint32_t max)
{
	struct graphs *g = (struct graphs *)self;
	uint32_t len = 0;

	if (g->mode == MODE_DPOR)
		return g->dpor->ops->ahead(g->dpor, schedules, max);
	if (g->mode == MODE_UNKNOWN)
		return 0;
	for (; len < max && g->search.branches.len; len++) {
		struct branch *b = vec_pop(&g->search.branches);

		*vec_push(&g->ahead) = (struct ready){.branch = b};
		schedules[len] = (struct schedule){.decisions = b->decisions,
						   .decisions_len = b->len, .tail = TAIL_LOWEST};
	}
	return len;
}

/* The search must not go on: what it meets is not modelled. */
static void give_up(struct graphs *g, const char *format, const char *word)
{
	snprintf(g->left_out, sizeof(g->left_out), format, word);
	while (g->search.branches.len)
		branch_free(vec_pop(&g->search.branches));
}

/* Without modification order it is not known whether a loop that looks in vain would see another value
 * in the end, so such loops are left to dpor. */
static bool looks_in_vain(const struct event *e)
{
	return e->flags & EVENT_VOID ||
	       (e->kind == EVENT_LOAD && event_has_source(e) && e->weak.matches != ~(uint64_t)0);
}

/* Of graphs, a thread looks at the word of a futex after it has entered the set of waiting threads, and
 * may be counted by a wake-up between the two. The kernel does both in one step. */
static bool is_futex(const struct event *e)
{
	return e->kind == EVENT_FUTEX_WAIT || e->kind == EVENT_FUTEX_BLOCK ||
	       e->kind == EVENT_FUTEX_WAKE;
}

/* Steps of which any two are one after another in a graph, though their order makes no difference: dpor
 * needs fewer runs. */
static bool is_costly(const struct event *e)
{
	return e->kind == EVENT_RDLOCK || e->kind == EVENT_TRYRDLOCK ||
	       e->kind == EVENT_BARRIER_ARRIVE;
}

/* A loop that writes in each turn, and may go on as long as another thread does not write, has no end in a
 * search that lets it see old values first. A run that is much longer than the shortest is taken for one. */
static bool is_endless(struct graphs *g, const struct trace *trace)
{
	if (!g->shortest || trace->events_len < g->shortest)
		g->shortest = trace->events_len;
	return trace->end == END_STEPS || trace->events_len > 4 * g->shortest + 64;
}

/* A part of the run that the search of MEMORY_RF does not cover, in words; NULL if it covers all. */
static const char *find_uncovered(struct graphs *g, const struct trace *trace)
{
	uint32_t first = reader_unmodelled(trace);

	for (uint32_t i = 0; i < trace->events_len; i++) {
		if (looks_in_vain(&trace->events[i]))
			return "a loop that waits for a variable";
		if ((is_futex(&trace->events[i]) || is_costly(&trace->events[i])) && i < first)
			first = i;
	}
	if (trace->void_turns)
		return "a loop that waits for a variable";
	if (is_endless(g, trace))
		return "a run that is much longer than others";
	return first < trace->events_len ? event_kind_text(trace->events[first].kind) : NULL;
}

static void give_up_relation(struct graphs *g, const char *uncovered)
{
	snprintf(g->uncovered, sizeof(g->uncovered), "%s", uncovered);
	give_up(g, "--equivalence rf does not cover %s", uncovered);
}

/* Was another thread about to end the program, too? The end is not a node: only the first one is run. */
static bool has_other_end(const struct trace *trace)
{
	for (uint32_t i = 0; i < trace->pending_len; i++)
		if (event_kind_flags(trace->pending[i].kind) & EVENT_KIND_ENDS)
			return true;
	return false;
}

static bool take(struct graphs *g, const struct branch *branch, const struct trace *trace)
{
	uint32_t unmodelled = reader_unmodelled(trace);
	const char *uncovered = g->model == MEMORY_RF ? find_uncovered(g, trace) : NULL;
	bool is_possible;

	if (g->left_out[0])
		return true;
	if (uncovered) {
		give_up_relation(g, uncovered);
		return true;
	}
	if (unmodelled < trace->events_len) {
		give_up(g, "a step (%s) is not modelled together with weaker atomics; --strategy pos "
			   "samples it",
			event_kind_text(trace->events[unmodelled].kind));
		return true;
	}
	is_possible = search_take(&g->search, branch, trace);
	if (g->model == MEMORY_RF && !search_ended_last(&g->search))
		give_up_relation(g, "the end of the program while a thread may be running");
	else if (has_other_end(trace))
		give_up(g, "of two threads that end the program (%s) only one was let; --strategy pos "
			   "samples both",
			"_exit");
	if (g->search.broken)
		give_up(g, "the search went wrong: %s", g->search.broken);
	return is_possible;
}

static void graphs_offer(struct strategy *self, uint32_t i, const struct trace *trace)
{
	struct graphs *g = (struct graphs *)self;

	if (g->mode == MODE_DPOR) {
		g->dpor->ops->offer(g->dpor, i, trace);
		return;
	}
	if (trace->end == END_DIVERGED)
		return; /* run again, and reported then */
	g->ahead.items[i].trace = trace_copy(trace);
	g->ahead.items[i].is_possible = take(g, g->ahead.items[i].branch, trace);
}

static void decide_mode(struct graphs *g, const struct trace *trace)
{
	g->mode = trace->assumed & ASSUMED_WEAKER ? MODE_GRAPHS : MODE_DPOR;
	if (g->mode == MODE_DPOR)
		return;
	search_start(&g->search, g->model);
	g->current = vec_pop(&g->search.branches);
}

static bool graphs_is_possible(struct strategy *self, const struct trace *trace)
{
	struct graphs *g = (struct graphs *)self;

	if (g->mode == MODE_UNKNOWN)
		decide_mode(g, trace);
	if (g->mode == MODE_DPOR)
		return true;
	return g->known ? g->is_known_possible : take(g, g->current, trace);
}

static void graphs_learn(struct strategy *self, const struct trace *trace)
{
	struct graphs *g = (struct graphs *)self;

	if (g->mode == MODE_DPOR)
		g->dpor->ops->learn(g->dpor, trace);
}

static void drop_branches(struct graphs *g)
{
	free_current(g);
	collect_ahead(g);
	while (g->ready.len) {
		struct ready r = vec_pop(&g->ready);

		branch_free(r.branch);
		mem_free(r.trace);
	}
	while (g->search.branches.len)
		branch_free(vec_pop(&g->search.branches));
}

static void graphs_restart(struct strategy *self)
{
	struct graphs *g = (struct graphs *)self;

	drop_branches(g);
	g->mode = MODE_UNKNOWN;
	g->left_out[0] = g->uncovered[0] = '\0';
	g->shortest = 0;
	g->dpor->ops->restart(g->dpor);
}

static double graphs_progress(const struct strategy *self)
{
	const struct graphs *g = (const struct graphs *)self;

	return g->mode == MODE_DPOR ? g->dpor->ops->progress(g->dpor) : -1;
}

static const char *graphs_left_out(const struct strategy *self)
{
	const struct graphs *g = (const struct graphs *)self;

	if (g->ignores_races && g->model != MEMORY_RF)
		return "races are ignored, and plain accesses that race ran as relaxed atomics";
	return g->left_out[0] ? g->left_out : NULL;
}

static const char *graphs_uncovered(const struct strategy *self)
{
	const struct graphs *g = (const struct graphs *)self;

	return g->uncovered[0] ? g->uncovered : NULL;
}

static void graphs_free(struct strategy *self)
{
	struct graphs *g = (struct graphs *)self;

	drop_branches(g);
	search_release(&g->search);
	vec_release(&g->ahead);
	vec_release(&g->ready);
	g->dpor->ops->free(g->dpor);
	mem_free(g);
}

static const struct strategy_ops graphs_ops = {
	.next = graphs_next,
	.ahead = graphs_ahead,
	.offer = graphs_offer,
	.is_possible = graphs_is_possible,
	.learn = graphs_learn,
	.restart = graphs_restart,
	.progress = graphs_progress,
	.left_out = graphs_left_out,
	.uncovered = graphs_uncovered,
	.free = graphs_free,
};

struct strategy *strategy_graphs(const struct strategy_params *params)
{
	struct graphs *g = mem_zalloc(sizeof(*g));

	g->base.ops = &graphs_ops;
	g->model = params->memory;
	g->ignores_races = params->ignores_races;
	g->dpor = strategy_dpor(params);
	return &g->base;
}

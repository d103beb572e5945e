/* coverage.c: coverage-guided search after Bita (ASE 2013).
 *
 * A first run gives receives and their causality; generate.h makes lists of
 * receives that reach new goals; each is turned into decisions and run. The criteria come in
 * the order PR, PBR, PCR: a later one is tried when the earlier have nothing left. Unlike the
 * paper's, the search does not stop at the first run: every run that showed something new is
 * a source of further lists, until nothing new is found.
 *
 * From list to decisions: the arrivals of the receives in the order of the list, each after
 * the events that must happen before it. By causality (CAUSALITY_OBJECTS) those events lie in
 * histories that the list leaves as they were, so each will be as it was. The receives
 * themselves need no decisions: a process that receives in the order of arrival follows the
 * list. Where programs share more than messages a decision may not be possible (a lock is
 * held); then it is dropped and counted.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/vec.h"
#include "strategy/coverage.h"
#include "strategy/foresee.h"
#include "strategy/generate.h"
#include "strategy/strategy.h"

enum { SOURCES_MAX = 256, TRIES_MAX = 2 };

/* A run from which lists are made. */
struct source {
	struct trace *trace;       /* owned */
	struct receive *receives;  /* owned; in the order of their arrivals */
	uint32_t receives_len;
	uint64_t *must;            /* owned; as in struct generate_source */
	struct foresee_past *pasts; /* owned; of each receive */
	struct generate_cursor cursors[GOAL_CRITERIA];
};

struct cover {
	struct strategy base;
	struct cover_numbers *numbers; /* borrowed, or `own` */
	struct cover_numbers own;
	struct causality causality;
	struct receives receives;
	struct goals reached; /* by runs */
	struct foresee foresee;
	struct map tried[GOAL_CRITERIA]; /* ordered pair -> how often asked for */
	VEC(struct source) sources;
	struct receive_list list;
	VEC(struct decision) decisions;
	VEC(uint8_t) emitted; /* by event of the source */
	struct map holders;   /* lock -> event of the source that took it, plus one */
	uint32_t criteria;    /* set of enum goal_criterion */
	uint32_t criterion;   /* of the list being made, or handed out last */
	struct receive first, second; /* the goal it was made for */
	bool asked;           /* the goal is valid */
	uint64_t tail_seed;
	bool started;
};

/* ---- sources ---- */

static int compare_arrivals(const void *a, const void *b)
{
	const struct receive *x = a, *y = b;

	if (x->arrival != y->arrival)
		return x->arrival < y->arrival ? -1 : 1;
	return x->event < y->event ? -1 : x->event > y->event;
}

static uint64_t *find_must(const struct causality *c, const struct receive *receives, uint32_t len)
{
	size_t words = BITSET_WORDS(len);
	uint64_t *must = mem_zalloc((words * len + 1) * sizeof(*must));

	for (uint32_t j = 0; j < len; j++)
		for (uint32_t i = 0; i < j; i++)
			if (receives[i].arrival == receives[j].arrival ||
			    causality_before(c, receives[i].arrival, receives[j].arrival))
				bitset_add(must + j * words, i);
	return must;
}

static void add_source(struct cover *c, const struct trace *trace)
{
	struct source source = {.trace = trace_copy(trace),
				.receives_len = (uint32_t)c->receives.items.len};

	source.receives = mem_dup(c->receives.items.items,
				  source.receives_len * sizeof(*source.receives) +
					  !source.receives_len);
	if (source.receives_len)
		qsort(source.receives, source.receives_len, sizeof(*source.receives),
		      compare_arrivals);
	source.must = find_must(&c->causality, source.receives, source.receives_len);
	source.pasts = mem_zalloc((source.receives_len + 1) * sizeof(*source.pasts));
	foresee_pasts(&c->foresee, source.receives, source.receives_len, source.pasts);
	*vec_push(&c->sources) = source;
}

static void source_release(struct source *source)
{
	mem_free(source->trace);
	mem_free(source->receives);
	mem_free(source->must);
	mem_free(source->pasts);
}

/* ---- lists and decisions ---- */

static uint64_t *tries_of(struct cover *c, enum goal_criterion criterion)
{
	return map_put(&c->tried[criterion],
		       c->first.name * 0x9e3779b97f4a7c15u ^ c->second.name, NULL);
}

/* A goal of PBR or PCR is one of PR, too: if that was tried and not reached, neither will be. */
static bool is_wanted(void *ctx, const struct receive *first, const struct receive *second)
{
	struct cover *c = ctx;

	c->first = *first;
	c->second = *second;
	return *tries_of(c, c->criterion) < TRIES_MAX &&
	       (*tries_of(c, GOAL_PR) < TRIES_MAX ||
		goals_has(&c->reached, GOAL_PR, first, second));
}

static bool has_mode(const struct event *event, uint64_t object, enum access_mode mode)
{
	for (uint32_t a = 0; a < event->access_len; a++)
		if (event->accesses[a].object == object && event->accesses[a].mode == mode)
			return true;
	return false;
}

static void emit(struct cover *c, const struct source *source, uint32_t i)
{
	const struct event *event = &source->trace->events[i];

	if (c->emitted.items[i])
		return;
	c->emitted.items[i] = 1;
	*vec_push(&c->decisions) = decision_of(event);
	for (uint32_t a = 0; a < event->access_len; a++) {
		if (event->accesses[a].mode == ACCESS_ACQUIRE)
			*map_put(&c->holders, event->accesses[a].object, NULL) = i + 1;
		else if (event->accesses[a].mode == ACCESS_RELEASE)
			*map_put(&c->holders, event->accesses[a].object, NULL) = 0;
	}
}

/* If an actor holds a lock that event i takes, its events follow first until it unlocks. */
static void free_locks(struct cover *c, const struct source *source, uint32_t i)
{
	const struct event *events = source->trace->events;

	for (uint32_t a = 0; a < events[i].access_len; a++) {
		const struct access *access = &events[i].accesses[a];
		const uint64_t *holder = map_get(&c->holders, access->object);
		uint32_t at = holder ? (uint32_t)*holder : 0;

		if (access->mode != ACCESS_ACQUIRE || !at ||
		    events[at - 1].actor == events[i].actor)
			continue;
		for (uint32_t k = at; k < source->trace->events_len; k++) {
			if (events[k].actor != events[at - 1].actor || k == i)
				continue;
			emit(c, source, k);
			if (has_mode(&events[k], access->object, ACCESS_RELEASE))
				break;
		}
	}
}

static void make_decisions(struct cover *c, const struct source *source)
{
	const struct trace *trace = source->trace;

	causality_build(&c->causality, trace, CAUSALITY_OBJECTS);
	c->decisions.len = 0;
	vec_reserve(&c->emitted, trace->events_len + 1);
	memset(c->emitted.items, 0, trace->events_len + 1);
	map_clear(&c->holders);
	for (size_t k = 0; k < c->list.len; k++) {
		uint32_t arrival = source->receives[c->list.items[k]].arrival;

		for (uint32_t i = 0; i < arrival; i++)
			if (causality_before(&c->causality, i, arrival))
				emit(c, source, i);
		free_locks(c, source, arrival);
		emit(c, source, arrival);
	}
}

/* The next list of the source that may reach its goal. */
static bool make_list(struct cover *c, struct source *source)
{
	struct generate_source from = {source->receives, source->receives_len, source->must};

	while (generate_next(&from, c->criterion, &c->reached, &source->cursors[c->criterion],
			     is_wanted, c, &c->list)) {
		if (foresee_reaches(&c->foresee, &from, source->pasts, &c->list, c->criterion,
				    c->first.name, c->second.name)) {
			++*tries_of(c, c->criterion);
			return true;
		}
		c->numbers->foreseen++;
	}
	return false;
}

static bool cover_next(struct strategy *self, struct schedule *schedule,
		       const struct trace **known)
{
	struct cover *c = (struct cover *)self;

	*schedule = (struct schedule){.tail = c->tail_seed ? TAIL_RANDOM : TAIL_FIRST,
				      .seed = c->tail_seed, .relaxed = true};
	*known = NULL;
	c->asked = false;
	if (!c->started) {
		c->started = true;
		return true;
	}
	for (c->criterion = 0; c->criterion < GOAL_CRITERIA; c->criterion++)
		for (size_t s = 0; c->criteria >> c->criterion & 1 && s < c->sources.len; s++)
			if (make_list(c, &c->sources.items[s])) {
				make_decisions(c, &c->sources.items[s]);
				c->numbers->generated[c->criterion]++;
				c->asked = true;
				schedule->decisions = c->decisions.items;
				schedule->decisions_len = (uint32_t)c->decisions.len;
				return true;
			}
	return false;
}

static void cover_learn(struct strategy *self, const struct trace *trace)
{
	struct cover *c = (struct cover *)self;
	bool is_first = !c->sources.len;
	uint32_t news = 0;

	c->numbers->dropped += trace->dropped;
	c->numbers->with_drops += trace->dropped > 0;
	causality_build(&c->causality, trace, CAUSALITY_OBJECTS);
	receives_find(&c->receives, trace, &c->causality);
	c->numbers->cut |= c->receives.cut;
	for (uint32_t criterion = 0; criterion < GOAL_CRITERIA; criterion++)
		if (c->criteria >> criterion & 1)
			news += goals_add(&c->reached, criterion, c->receives.items.items,
					  (uint32_t)c->receives.items.len);
	foresee_learn(&c->foresee, trace, &c->causality, &c->receives);
	if (c->asked && !goals_has(&c->reached, c->criterion, &c->first, &c->second)) {
		c->numbers->in_vain++;
		foresee_learn_vain(&c->foresee, trace, &c->receives, c->first.name);
	}
	if (is_first || (news && c->sources.len < SOURCES_MAX))
		add_source(c, trace);
}

/* ---- life ---- */

static void cover_restart(struct strategy *self)
{
	struct cover *c = (struct cover *)self;

	for (size_t s = 0; s < c->sources.len; s++)
		source_release(&c->sources.items[s]);
	c->sources.len = 0;
	for (uint32_t i = 0; i < GOAL_CRITERIA; i++)
		map_clear(&c->tried[i]);
	goals_clear(&c->reached);
	foresee_clear(&c->foresee);
	*c->numbers = (struct cover_numbers){0};
	c->started = false;
}

static double cover_progress(const struct strategy *self)
{
	return -1;
}

static const char *cover_left_out(const struct strategy *self)
{
	return "only orders of pairs were tried";
}

static void cover_free(struct strategy *self)
{
	struct cover *c = (struct cover *)self;

	for (size_t s = 0; s < c->sources.len; s++)
		source_release(&c->sources.items[s]);
	for (uint32_t i = 0; i < GOAL_CRITERIA; i++)
		map_release(&c->tried[i]);
	vec_release(&c->sources);
	vec_release(&c->list);
	vec_release(&c->decisions);
	vec_release(&c->emitted);
	map_release(&c->holders);
	causality_release(&c->causality);
	receives_release(&c->receives);
	goals_release(&c->reached);
	foresee_release(&c->foresee);
	mem_free(c);
}

static const struct strategy_ops cover_ops = {
	.next = cover_next,
	.learn = cover_learn,
	.restart = cover_restart,
	.progress = cover_progress,
	.left_out = cover_left_out,
	.free = cover_free,
};

struct strategy *strategy_coverage(const struct strategy_params *params)
{
	struct cover *c = mem_zalloc(sizeof(*c));

	c->base.ops = &cover_ops;
	c->criteria = params->criteria ? params->criteria : (1u << GOAL_CRITERIA) - 1;
	c->tail_seed = params->tail_seed;
	c->numbers = params->cover ? params->cover : &c->own;
	return &c->base;
}

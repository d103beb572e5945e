#include "explore/nearest.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/vec.h"
#include "core/order.h"
#include "detect/detect.h"
#include "explore/spare.h"

struct search {
	struct spare *spare;
	struct found *found;
	const struct shrink_budget *budget;
	double deadline;
	uint32_t runs_left;
	uint64_t *runs_done;
	struct order order;
	VEC(struct decision) candidate;
};

static bool has_budget(const struct search *s)
{
	return s->runs_left > 0 && clock_seconds() < s->deadline &&
	       !(s->budget->stop && *s->budget->stop);
}

/* ---- does a run pass? ---- */

/* A data race is reported whatever the order of its two accesses: it does not make a run fail. */
static bool is_clean(const struct trace *trace)
{
	struct detectors *detectors = detectors_new();
	struct finding_vec findings = {0};
	bool is_clean = true;

	detectors_look(detectors, trace, &findings);
	for (size_t i = 0; i < findings.len; i++)
		is_clean = is_clean && findings.items[i].kind == FINDING_RACE;
	vec_release(&findings);
	detectors_free(detectors);
	return is_clean;
}

static bool passes(const struct search *s, const struct trace *trace)
{
	struct finding finding = s->found->finding;

	return trace->end == END_DONE && !trace_is_cut(trace) && !trace_shows(trace, &finding) &&
	       is_clean(trace);
}

static uint32_t find_event(const struct trace *trace, const struct event *wanted)
{
	uint32_t i = 0;

	while (i < trace->events_len && (trace->events[i].actor != wanted->actor ||
					 trace->events[i].ordinal != wanted->ordinal))
		i++;
	return i;
}

/* Is it the same step in two runs? A process may take another message there, or end instead. */
static bool is_same_step(const struct event *a, const struct event *b)
{
	bool is_fed = event_kind_flags(a->kind) & EVENT_KIND_TAKES;

	return a->kind == b->kind && (!is_fed || event_has_same_peer(a, b));
}

/* The place in the failing run, behind `first`, of a step of the passing one; events_len if its actor
 * announced it and did not take it, whatever it did instead, or did not come to it. */
static uint32_t find_second(const struct trace *failing, uint32_t first, const struct event *passing)
{
	uint32_t place = find_event(failing, passing);

	return place > first && place < failing->events_len &&
			       is_same_step(&failing->events[place], passing)
		       ? place
		       : failing->events_len;
}

/* The step of the passing run whose order with `first` matters: `second`, or, if it does not matter in
 * which order those two are, the last step before `first` where it does. */
static uint32_t find_rival(const struct trace *passing, const struct event *first, uint32_t second)
{
	uint32_t place = find_event(passing, first);

	if (place == passing->events_len ||
	    event_dependent_anyhow(&passing->events[second], &passing->events[place]))
		return second;
	for (uint32_t i = place; i-- > second;)
		if (passing->events[i].actor != first->actor &&
		    event_dependent_anyhow(&passing->events[i], &passing->events[place]))
			return i;
	return second;
}

/* ---- candidates ---- */

static void keep(struct search *s, const struct trace *trace, uint32_t first,
		 const struct event *second)
{
	struct found *found = s->found;
	uint32_t passing = find_rival(trace, &found->trace->events[first], find_event(trace, second));

	found->passing_len = trace->events_len;
	found->passing = found_decisions(trace);
	found->reversed = (struct found_pair){
		.first = first,
		.second = find_second(found->trace, first, &trace->events[passing]),
		.actor = trace->events[passing].actor,
		.passing = passing,
	};
}

/* Runs the candidate; keeps it if it passes and `second` comes before event number `first`. */
static bool is_passed_by_candidate(struct search *s, uint32_t first, const struct event *second)
{
	struct schedule schedule = {.decisions = s->candidate.items,
				    .decisions_len = (uint32_t)s->candidate.len,
				    .tail = TAIL_FIRST, .relaxed = FOLLOW_RELAXED};
	struct trace trace;
	uint32_t place;

	s->runs_left--;
	++*s->runs_done;
	if (!spare_run(s->spare, &schedule, &trace) || !passes(s, &trace))
		return false;
	place = find_event(&trace, second);
	if (place == trace.events_len ||
	    place > find_event(&trace, &s->found->trace->events[first]))
		return false;
	keep(s, &trace, first, second);
	return true;
}

static void add_decision(struct search *s, const struct event *event)
{
	*vec_push(&s->candidate) = decision_of(event);
}

/* The run with `second` before `first`: the steps between them that depend on `first` come later. */
static void build_reversed(struct search *s, uint32_t first, uint32_t second)
{
	const struct order *order = &s->order;
	const struct trace *t = s->found->trace;
	uint32_t place = order_place(order, second);

	s->candidate.len = 0;
	for (uint32_t i = 0; i < place; i++)
		if (i != first && !order_before(order, first, i))
			add_decision(s, &t->events[i]);
	add_decision(s, order_event(order, second));
	for (uint32_t i = first; i < t->events_len; i++)
		if (i != second && (i >= place || order_before(order, first, i)))
			add_decision(s, &t->events[i]);
}

/* ---- the search ---- */

static int compare_races(const void *a, const void *b)
{
	const struct order_race *left = a, *right = b;

	if (left->second != right->second)
		return left->second < right->second ? 1 : -1;
	return left->first < right->first ? 1 : left->first > right->first ? -1 : 0;
}

static bool try_races(struct search *s)
{
	size_t len = s->order.races.len;
	struct order_race *races = mem_alloc((len + 1) * sizeof(*races));
	bool is_found = false;

	if (len)
		memcpy(races, s->order.races.items, len * sizeof(*races));
	qsort(races, len, sizeof(*races), compare_races);
	for (size_t i = 0; i < len && !is_found && has_budget(s); i++) {
		build_reversed(s, races[i].first, races[i].second);
		is_found = is_passed_by_candidate(s, races[i].first,
						  order_event(&s->order, races[i].second));
	}
	mem_free(races);
	return is_found;
}

/* The next step of an actor from step i on, taken or announced; NULL if it has none. */
static const struct event *next_of(const struct trace *t, uint32_t actor, uint32_t i)
{
	for (; i < t->events_len; i++)
		if (t->events[i].actor == actor)
			return &t->events[i];
	for (uint32_t p = 0; p < t->pending_len; p++)
		if (t->pending[p].actor == actor)
			return &t->pending[p];
	return NULL;
}

static bool try_others_at(struct search *s, uint32_t step)
{
	const struct trace *t = s->found->trace;

	for (uint32_t actor = 0; actor < t->actors_len && has_budget(s); actor++) {
		const struct event *next = next_of(t, actor, step);

		if (actor == t->events[step].actor || !next ||
		    !bitset_has(trace_enabled(t, step), actor))
			continue;
		s->candidate.len = 0;
		for (uint32_t i = 0; i < step; i++)
			add_decision(s, &t->events[i]);
		add_decision(s, next);
		if (is_passed_by_candidate(s, step, next))
			return true;
	}
	return false;
}

static void try_divergences(struct search *s)
{
	for (uint32_t i = s->found->trace->events_len; i-- > 0 && has_budget(s);)
		if (try_others_at(s, i))
			return;
}

/* The order of the two accesses does not matter to a race; a leak has its other run already; each
 * run of a hang takes seconds. */
static bool is_wanted(const struct found *found)
{
	uint32_t kind = found->finding.kind;

	return kind != FINDING_RACE && kind != FINDING_LEAK && kind != FINDING_HANG &&
	       !found->always && found->trace->memory == MEMORY_SC;
}

void nearest_find(struct spare *spare, struct found *found, const struct shrink_budget *budget,
		  uint64_t *runs)
{
	struct search s = {.spare = spare, .found = found, .budget = budget,
			   .deadline = clock_seconds() + budget->seconds,
			   .runs_left = budget->runs, .runs_done = runs,
			   .order = {.observers = OBSERVERS_NONE}};

	if (!is_wanted(found))
		return;
	order_build(&s.order, found->trace, 0);
	if (!try_races(&s))
		try_divergences(&s);
	order_release(&s.order);
	vec_release(&s.candidate);
}

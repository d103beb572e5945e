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
	bool wants_all; /* of the pairs, also those with a lock that was never taken */
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

	mem_free(found->passing);
	found->passing_len = trace->events_len;
	found->passing = found_decisions(trace);
	found->reversed = (struct found_pair){
		.first = first,
		.second = find_second(found->trace, first, &trace->events[passing]),
		.actor = trace->events[passing].actor,
		.passing = passing,
	};
}

enum answer {
	UNREACHED, /* `second` did not come before `first`, or the run cannot be used */
	FAILED,
	PASSED,
};

/* Runs the candidate; keeps it if it passes and `second` comes before event number `first`. */
static enum answer try_candidate(struct search *s, uint32_t first, const struct event *second)
{
	struct schedule schedule = {.decisions = s->candidate.items,
				    .decisions_len = (uint32_t)s->candidate.len,
				    .tail = TAIL_FIRST, .relaxed = FOLLOW_RELAXED};
	struct trace trace;
	uint32_t place;

	s->runs_left--;
	++*s->runs_done;
	if (!spare_run(s->spare, &schedule, &trace))
		return UNREACHED;
	place = find_event(&trace, second);
	if (place == trace.events_len ||
	    place > find_event(&trace, &s->found->trace->events[first]))
		return UNREACHED;
	if (!passes(s, &trace))
		return FAILED;
	keep(s, &trace, first, second);
	return PASSED;
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

/* By how many locks more an actor has after the step than before it. */
static int count_locks(const struct event *event)
{
	int count = 0;

	for (uint32_t a = 0; a < event->access_len; a++)
		count += access_mode_locks(event->accesses[a].mode) -
			 access_mode_unlocks(event->accesses[a].mode);
	return count;
}

/* The step by which the actor of `second` has given back the locks that it took since `first`, so that
 * others can go on; `second` itself if there are none. */
static uint32_t find_release(const struct search *s, uint32_t first, uint32_t second)
{
	const struct trace *t = s->found->trace;
	uint32_t actor = order_event(&s->order, second)->actor;
	int held = 0;

	for (uint32_t i = first; i < t->events_len; i++) {
		if (t->events[i].actor != actor)
			continue;
		held += count_locks(&t->events[i]);
		if (i >= second && held <= 0)
			return i;
	}
	return second;
}

/* The run in which the actor of `first` waits before `first` until `second` was taken. The others go
 * on as they did. */
static void build_waiting(struct search *s, uint32_t first, uint32_t second)
{
	const struct trace *t = s->found->trace;
	uint32_t waiting = t->events[first].actor, place = order_place(&s->order, second);
	uint32_t going = order_event(&s->order, second)->actor;
	uint32_t release = find_release(s, first, second);

	s->candidate.len = 0;
	for (uint32_t i = 0; i < place; i++)
		if (i < first || t->events[i].actor != waiting)
			add_decision(s, &t->events[i]);
	add_decision(s, order_event(&s->order, second));
	for (uint32_t i = place + 1; i <= release && i < t->events_len; i++)
		if (t->events[i].actor == going)
			add_decision(s, &t->events[i]);
	for (uint32_t i = first; i < t->events_len; i++)
		if (i != second && (i > place || t->events[i].actor == waiting) &&
		    (i > release || t->events[i].actor != going))
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

/* Would the run be another one if `second` came before `first`? */
static bool is_pair(const struct search *s, uint32_t first, uint32_t second)
{
	const struct event *e = order_event(&s->order, first), *f = order_event(&s->order, second);
	struct dependence_view view = {.event = f, .has_run = second < s->order.events_len,
				       .observers = OBSERVERS_NONE};

	return e->actor != f->actor && order_place(&s->order, second) > first &&
	       !event_touches_all(e) && !event_touches_all(f) &&
	       dependence_of(e, &view) == DEPENDENCE_RACES;
}

static enum answer try_waiting(struct search *s, uint32_t first, uint32_t second)
{
	build_waiting(s, first, second);
	return try_candidate(s, first, order_event(&s->order, second));
}

/* A lock that was never taken does not say what would have been done under it; it is a good answer only
 * for actors that wait. A value that was never written is one for all. */
static bool is_telling(const struct search *s, uint32_t second)
{
	const struct event *event = order_event(&s->order, second);
	uint32_t kind = s->found->finding.kind;

	if (second < s->order.events_len || s->wants_all || kind == FINDING_DEADLOCK ||
	    kind == FINDING_STUCK)
		return true;
	for (uint32_t a = 0; a < event->access_len; a++)
		if (access_mode_needs_lock(event->accesses[a].mode))
			return false;
	return true;
}

/* The last step (the first one, if !is_last) of the actor that makes a pair with `first`; or `first`. */
static uint32_t find_pair(const struct search *s, uint32_t first, uint32_t actor, bool is_last)
{
	uint32_t all = s->order.events_len + s->order.ghosts_len, found = first;

	for (uint32_t i = first + 1; i < all && (is_last || found == first); i++)
		if (order_event(&s->order, i)->actor == actor && is_pair(s, first, i) &&
		    is_telling(s, i))
			found = i;
	return found;
}

/* Waits for the last step of the actor that makes a pair; if that step cannot come before `first`, for
 * the first one. If the run fails although `first` waits so long, it is not tried for less long. */
static uint32_t find_passing(struct search *s, uint32_t first, uint32_t actor)
{
	uint32_t second = find_pair(s, first, actor, true);
	enum answer answer = second == first ? FAILED : try_waiting(s, first, second);

	if (answer == UNREACHED && has_budget(s)) {
		second = find_pair(s, first, actor, false);
		answer = try_waiting(s, first, second);
	}
	return answer == PASSED ? second : first;
}

static bool try_waiting_at(struct search *s, uint32_t first)
{
	uint32_t second = first;

	for (uint32_t a = 0; a < s->found->trace->actors_len && second == first && has_budget(s); a++)
		second = find_passing(s, first, a);
	for (uint32_t i = first + 1; i < second && has_budget(s); i++)
		if (is_pair(s, first, i) && is_telling(s, i) &&
		    try_waiting(s, first, i) == PASSED)
			break;
	return second != first;
}

/* Leaves half of the runs for what is tried next. */
static bool try_all_waits(struct search *s, bool wants_all)
{
	uint32_t kept = s->runs_left / 2;

	s->wants_all = wants_all;
	for (uint32_t i = s->found->trace->events_len; i-- > 0 && has_budget(s) && s->runs_left > kept;)
		if (try_waiting_at(s, i))
			return true;
	return false;
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
		is_found = try_candidate(s, races[i].first,
					 order_event(&s->order, races[i].second)) == PASSED;
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
		if (try_candidate(s, step, next) == PASSED)
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
	if (!try_all_waits(&s, false) && !try_all_waits(&s, true) && !try_races(&s))
		try_divergences(&s);
	order_release(&s.order);
	vec_release(&s.candidate);
}

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

struct passing {
	struct decision *decisions; /* NULL: none */
	uint32_t len;
	struct found_pair pair;
};

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
	struct trace *best;   /* the run of found->passing; NULL: none yet */
	struct passing aside; /* a run in which the step comes too late for anybody (is_moot) */
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

/* Every timer moves the clock, and who begins to sleep looks at it. */
static bool is_of_clock(const struct trace *t, uint32_t step)
{
	return t->events[step].kind == EVENT_SLEEP || t->events[step].kind == EVENT_CLOCK ||
	       t->actors[t->events[step].actor].kind == ACTOR_TIMER;
}

/* The step of the passing run whose order with `first` matters: `second`, or, if it does not matter in
 * which order those two are, the last step before `first` where it does. A timer that has been stopped
 * is not in the passing run: the first step behind `second` that keeps it from firing. */
static uint32_t find_rival(const struct trace *passing, const struct event *first, uint32_t second)
{
	uint32_t place = find_event(passing, first);

	if (event_dependent_anyhow(&passing->events[second],
				   place < passing->events_len ? &passing->events[place] : first))
		return second;
	for (uint32_t i = second; i < passing->events_len && place == passing->events_len; i++)
		if (passing->events[i].actor != first->actor && !is_of_clock(passing, i) &&
		    event_dependent_anyhow(&passing->events[i], first))
			return i;
	if (place == passing->events_len)
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

	mem_free(s->best);
	s->best = trace_copy(trace);
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

/* ---- runs that are not the answer yet ---- */

static bool is_taken(const struct trace *trace, uint32_t send)
{
	for (uint32_t i = send + 1; i < trace->events_len; i++)
		if (event_kind_flags(trace->events[i].kind) & EVENT_KIND_TAKES &&
		    event_is_fed_by(&trace->events[i], &trace->events[send]))
			return true;
	return false;
}

/* Does the passing run end well only because the message of `first` comes when nobody takes it any more?
 * That is true of every message, if it waits until the test is over, and says nothing about this bug. */
static bool is_moot(const struct search *s)
{
	uint32_t first = s->found->reversed.first;
	const struct event *event = &s->found->trace->events[first];
	uint32_t place = find_event(s->best, event);

	return event->kind == EVENT_SEND && is_taken(s->found->trace, first) &&
	       place < s->best->events_len && s->best->events[place].kind == EVENT_SEND &&
	       !is_taken(s->best, place);
}

/* The step that is waited for need not be one of the failing run; it may be far behind the step that
 * helps. Waits for each step of the passing run that makes a pair, from the first one on. */
static void shorten_wait(struct search *s)
{
	uint32_t first = s->found->reversed.first;
	const struct trace *failing = s->found->trace;
	struct trace *long_one = s->best;
	uint32_t place = find_event(long_one, &failing->events[first]);
	uint32_t end = s->found->reversed.passing;
	bool is_shorter = false;

	if (s->found->reversed.second < failing->events_len || place == long_one->events_len)
		return;
	s->best = NULL; /* keep() makes another */
	for (uint32_t i = first; i < end && !is_shorter && has_budget(s); i++) {
		const struct event *event = &long_one->events[i];

		if (event->actor == failing->events[first].actor ||
		    !event_dependent_anyhow(event, &long_one->events[place]))
			continue;
		s->candidate.len = 0;
		for (uint32_t j = 0; j <= i; j++)
			add_decision(s, &long_one->events[j]);
		for (uint32_t j = first; j < failing->events_len; j++)
			add_decision(s, &failing->events[j]);
		is_shorter = try_candidate(s, first, event) == PASSED;
	}
	if (s->best)
		mem_free(long_one);
	else
		s->best = long_one;
}

static void set_aside(struct search *s)
{
	struct found *found = s->found;

	if (s->aside.decisions)
		mem_free(found->passing);
	else
		s->aside = (struct passing){found->passing, found->passing_len, found->reversed};
	found->passing = NULL;
	found->passing_len = 0;
}

static void take_aside(struct search *s)
{
	struct found *found = s->found;

	if (found->passing) {
		mem_free(s->aside.decisions);
		return;
	}
	found->passing = s->aside.decisions;
	found->passing_len = s->aside.len;
	found->reversed = s->aside.pair;
}

/* The passing run that was just found is the answer, unless it is moot. */
static bool accept(struct search *s)
{
	shorten_wait(s);
	if (!is_moot(s))
		return true;
	set_aside(s);
	return false;
}

/* Leaves half of the runs for what is tried next. */
static bool try_all_waits(struct search *s, bool wants_all)
{
	uint32_t kept = s->runs_left / 2;

	s->wants_all = wants_all;
	for (uint32_t i = s->found->trace->events_len; i-- > 0 && has_budget(s) && s->runs_left > kept;)
		if (try_waiting_at(s, i) && accept(s))
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
					 order_event(&s->order, races[i].second)) == PASSED &&
			   accept(s);
	}
	mem_free(races);
	return is_found;
}

/* ---- letting another actor go on ---- */

enum { AHEAD_MAX = 64, SLEEPS_MAX = 2 };

static uint32_t count_steps(const struct trace *t, uint32_t actor, uint32_t before)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < before; i++)
		count += t->events[i].actor == actor;
	return count;
}

static void add_any(struct search *s, uint32_t actor, uint32_t ordinal)
{
	*vec_push(&s->candidate) = (struct decision){
		.actor = actor, .ordinal = ordinal, .kind = DECISION_ANY};
}

/* The run in which a process takes up to `steps` of its own steps before step `first`, whatever these are:
 * they need not be in the failing run, because its end may have ended the process. If it sleeps on the way,
 * its timers fire. Decisions that are not possible are dropped, so those behind a sleep are there twice. */
static void build_ahead(struct search *s, uint32_t first, uint32_t actor, uint32_t steps)
{
	const struct trace *t = s->found->trace;
	uint32_t ordinal = count_steps(t, actor, first);

	s->candidate.len = 0;
	for (uint32_t i = 0; i < first; i++)
		add_decision(s, &t->events[i]);
	for (uint32_t sleeps = 0; sleeps <= SLEEPS_MAX; sleeps++) {
		for (uint32_t i = 0; i < steps; i++)
			add_any(s, actor, ordinal + i);
		for (uint32_t a = 0; a < t->actors_len && sleeps < SLEEPS_MAX; a++)
			if (t->actors[a].kind == ACTOR_TIMER && t->actors[a].parent == actor)
				add_any(s, a, count_steps(t, a, first) + sleeps);
	}
	for (uint32_t i = first; i < t->events_len; i++)
		if (t->events[i].actor != actor)
			add_decision(s, &t->events[i]);
}

/* The number of steps that an actor can take before step `first`, such that the run ends well: the
 * least one. */
static bool try_ahead_at(struct search *s, uint32_t first, uint32_t actor)
{
	struct event next = {.actor = actor, .ordinal = count_steps(s->found->trace, actor, first)};

	build_ahead(s, first, actor, AHEAD_MAX);
	if (try_candidate(s, first, &next) != PASSED)
		return false;
	for (uint32_t steps = 1; steps < AHEAD_MAX && has_budget(s); steps++) {
		build_ahead(s, first, actor, steps);
		if (try_candidate(s, first, &next) == PASSED)
			break;
	}
	return true;
}

/* The end of one process may end others, which then have steps that no part of the run shows. Threads go
 * on. */
static bool has_processes(const struct trace *t)
{
	for (uint32_t i = 0; i < t->events_len; i++)
		if (t->events[i].kind == EVENT_SPAWN)
			return true;
	return false;
}

/* Can the process go on before the step, at once or when its timer has fired? */
static bool is_alive(const struct trace *t, uint32_t actor, uint32_t step)
{
	bool is_alive = bitset_has(trace_enabled(t, step), actor);

	for (uint32_t a = 0; a < t->actors_len && !is_alive; a++)
		is_alive = t->actors[a].kind == ACTOR_TIMER && t->actors[a].parent == actor &&
			   bitset_has(trace_enabled(t, step), a);
	return is_alive;
}

static bool try_ahead(struct search *s)
{
	const struct trace *t = s->found->trace;

	if (!has_processes(t))
		return false;
	for (uint32_t i = t->events_len; i-- > 0;)
		for (uint32_t actor = 0; actor < t->actors_len; actor++)
			if (actor != t->events[i].actor && has_budget(s) &&
			    !actor_is_virtual(&t->actors[actor]) && is_alive(t, actor, i) &&
			    try_ahead_at(s, i, actor) && accept(s))
				return true;
	return false;
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
		if (try_candidate(s, step, next) == PASSED && accept(s))
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
	if (!try_all_waits(&s, false) && !try_all_waits(&s, true) && !try_races(&s) &&
	    !try_ahead(&s) && !s.aside.decisions)
		try_divergences(&s);
	take_aside(&s);
	mem_free(s.best);
	order_release(&s.order);
	vec_release(&s.candidate);
}

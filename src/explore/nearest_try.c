#include "explore/nearest_parts.h"

#include "base/clock.h"
#include "base/mem.h"
#include "detect/detect.h"

bool nearest_has_budget(const struct nearest *s)
{
	return s->runs_left > 0 && clock_seconds() < s->deadline &&
	       !(s->budget->stop && *s->budget->stop);
}

void nearest_add(struct nearest *s, const struct event *event)
{
	*vec_push(&s->candidate) = decision_of(event);
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

static bool passes(const struct nearest *s, const struct trace *trace)
{
	struct finding finding = s->found->finding;

	return trace->end == END_DONE && !trace_is_cut(trace) && !trace_shows(trace, &finding) &&
	       (finding.kind != FINDING_LEAK || detect_knows_leaks(trace)) && is_clean(trace);
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
static uint32_t find_second(const struct trace *failing, uint32_t first,
			    const struct event *passing)
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

static void keep(struct nearest *s, const struct trace *trace, uint32_t first,
		 const struct event *second)
{
	struct found *found = s->found;
	uint32_t passing = find_rival(trace, &found->trace->events[first],
				      find_event(trace, second));

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
		.is_loose = s->seed != 0,
	};
}

/* Runs the candidate. NEAREST_PASSED: it passes, and `second` comes before event number `first`. */
static enum nearest_answer run_candidate(struct nearest *s, uint32_t first, const struct event *second,
					 struct trace *trace)
{
	struct schedule schedule = {.decisions = s->candidate.items,
				    .decisions_len = (uint32_t)s->candidate.len,
				    .tail = !s->seed ? TAIL_FIRST
					    : s->seed % 2 ? TAIL_RANDOM : TAIL_POS,
				    .seed = s->seed,
				    .relaxed = FOLLOW_RELAXED};
	uint32_t place;

	s->runs_left--;
	++*s->runs_done;
	if (!spare_run(s->spare, &schedule, trace))
		return NEAREST_UNREACHED;
	place = find_event(trace, second);
	if (place == trace->events_len ||
	    place > find_event(trace, &s->found->trace->events[first]))
		return NEAREST_UNREACHED;
	return passes(s, trace) ? NEAREST_PASSED : NEAREST_FAILED;
}

enum nearest_answer nearest_try(struct nearest *s, uint32_t first, const struct event *second)
{
	struct trace trace;
	enum nearest_answer answer = run_candidate(s, first, second, &trace);

	if (answer == NEAREST_PASSED)
		keep(s, &trace, first, second);
	return answer;
}

static bool comes_first(const struct trace *t, const struct event *a, const struct event *b)
{
	return find_event(t, a) < find_event(t, b);
}

bool nearest_fails_without(struct nearest *s, uint32_t first, const struct event *second,
			   const struct event *left_out)
{
	const struct event *event = &s->found->trace->events[first];
	struct trace trace;

	return comes_first(s->best, left_out, event) &&
	       run_candidate(s, first, second, &trace) == NEAREST_FAILED &&
	       !comes_first(&trace, left_out, event);
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
 * That is true of every message, if it waits until the test is over, and says nothing about this bug. The
 * report of an end that nobody takes because its monitor is gone says much. */
static bool is_moot(const struct nearest *s)
{
	uint32_t first = s->found->reversed.first;
	uint32_t rival = s->best->events[s->found->reversed.passing].kind;
	const struct event *event = &s->found->trace->events[first];
	uint32_t place = find_event(s->best, event);

	return rival != EVENT_DEMONITOR && rival != EVENT_UNLINK &&
	       event->kind == EVENT_SEND && is_taken(s->found->trace, first) &&
	       place < s->best->events_len && s->best->events[place].kind == EVENT_SEND &&
	       !is_taken(s->best, place);
}

/* The step that is waited for need not be one of the failing run; it may be far behind the step that
 * helps. Waits for each step of the passing run that makes a pair, from the first one on. */
static void shorten_wait(struct nearest *s)
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
	for (uint32_t i = first; i < end && !is_shorter && nearest_has_budget(s); i++) {
		const struct event *event = &long_one->events[i];

		if (event->actor == failing->events[first].actor ||
		    !event_dependent_anyhow(event, &long_one->events[place]))
			continue;
		s->candidate.len = 0;
		for (uint32_t j = 0; j <= i; j++)
			nearest_add(s, &long_one->events[j]);
		for (uint32_t j = first; j < failing->events_len; j++)
			nearest_add(s, &failing->events[j]);
		is_shorter = nearest_try(s, first, event) == NEAREST_PASSED;
	}
	if (s->best)
		mem_free(long_one);
	else
		s->best = long_one;
}

static void set_aside(struct nearest *s)
{
	struct found *found = s->found;

	if (s->aside.decisions)
		mem_free(found->passing);
	else
		s->aside = (struct passing){found->passing, found->passing_len, found->reversed};
	found->passing = NULL;
	found->passing_len = 0;
}

void nearest_take_aside(struct nearest *s)
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

bool nearest_accept(struct nearest *s)
{
	shorten_wait(s);
	if (!is_moot(s))
		return true;
	set_aside(s);
	return false;
}

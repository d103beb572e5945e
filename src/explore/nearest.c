#include "explore/nearest.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "base/clock.h"
#include "base/mem.h"
#include "explore/nearest_parts.h"

enum { LOOSE_TRIES = 4 };

/* The run with `second` before `first`: the steps between them that depend on `first` come later. */
static void build_reversed(struct nearest *s, uint32_t first, uint32_t second)
{
	const struct order *order = &s->order;
	const struct trace *t = s->found->trace;
	uint32_t place = order_place(order, second);

	s->candidate.len = 0;
	for (uint32_t i = 0; i < place; i++)
		if (i != first && !order_before(order, first, i))
			nearest_add(s, &t->events[i]);
	nearest_add(s, order_event(order, second));
	for (uint32_t i = first; i < t->events_len; i++)
		if (i != second && (i >= place || order_before(order, first, i)))
			nearest_add(s, &t->events[i]);
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
static uint32_t find_release(const struct nearest *s, uint32_t first, uint32_t second)
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

/* The beginning of a run in which the actor of `first` waits before `first` until `second` was taken. */
static void begin_waiting(struct nearest *s, uint32_t first, uint32_t second)
{
	const struct trace *t = s->found->trace;
	uint32_t waiting = t->events[first].actor, place = order_place(&s->order, second);

	s->candidate.len = 0;
	for (uint32_t i = 0; i < place; i++)
		if (i < first || t->events[i].actor != waiting)
			nearest_add(s, &t->events[i]);
	nearest_add(s, order_event(&s->order, second));
}

/* All of that run. The others go on as they did. */
static void build_waiting(struct nearest *s, uint32_t first, uint32_t second)
{
	const struct trace *t = s->found->trace;
	uint32_t waiting = t->events[first].actor, place = order_place(&s->order, second);
	uint32_t going = order_event(&s->order, second)->actor;
	uint32_t release = find_release(s, first, second);

	begin_waiting(s, first, second);
	for (uint32_t i = place + 1; i <= release && i < t->events_len; i++)
		if (t->events[i].actor == going)
			nearest_add(s, &t->events[i]);
	for (uint32_t i = first; i < t->events_len; i++)
		if (i != second && (i > place || t->events[i].actor == waiting) &&
		    (i > release || t->events[i].actor != going))
			nearest_add(s, &t->events[i]);
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
static bool is_pair(const struct nearest *s, uint32_t first, uint32_t second)
{
	const struct event *e = order_event(&s->order, first), *f = order_event(&s->order, second);
	struct dependence_view view = {.event = f, .has_run = second < s->order.events_len,
				       .observers = OBSERVERS_NONE};

	return e->actor != f->actor && order_place(&s->order, second) > first &&
	       !event_touches_all(e) && !event_touches_all(f) &&
	       dependence_of(e, &view) == DEPENDENCE_RACES;
}

static enum nearest_answer try_waiting(struct nearest *s, uint32_t first, uint32_t second)
{
	build_waiting(s, first, second);
	return nearest_try(s, first, order_event(&s->order, second));
}

/* A lock that was never taken does not say what would have been done under it; it is a good answer only
 * for actors that wait. A value that was never written is one for all. */
static bool is_telling(const struct nearest *s, uint32_t second)
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
static uint32_t find_pair(const struct nearest *s, uint32_t first, uint32_t actor, bool is_last)
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
static uint32_t find_passing(struct nearest *s, uint32_t first, uint32_t actor)
{
	uint32_t second = find_pair(s, first, actor, true);
	enum nearest_answer answer = second == first ? NEAREST_FAILED
						     : try_waiting(s, first, second);

	if (answer == NEAREST_UNREACHED && nearest_has_budget(s)) {
		second = find_pair(s, first, actor, false);
		answer = try_waiting(s, first, second);
	}
	return answer == NEAREST_PASSED ? second : first;
}

static bool try_waiting_at(struct nearest *s, uint32_t first)
{
	uint32_t second = first;

	for (uint32_t a = 0;
	     a < s->found->trace->actors_len && second == first && nearest_has_budget(s); a++)
		second = find_passing(s, first, a);
	for (uint32_t i = first + 1; i < second && nearest_has_budget(s); i++)
		if (is_pair(s, first, i) && is_telling(s, i) &&
		    try_waiting(s, first, i) == NEAREST_PASSED)
			break;
	return second != first;
}

/* Leaves half of the runs for what is tried next. */
static bool try_all_waits(struct nearest *s, bool wants_all)
{
	uint32_t kept = s->runs_left / 2;

	s->wants_all = wants_all;
	for (uint32_t i = s->found->trace->events_len;
	     i-- > 0 && nearest_has_budget(s) && s->runs_left > kept;)
		if (try_waiting_at(s, i) && nearest_accept(s))
			return true;
	return false;
}

static bool try_races(struct nearest *s)
{
	size_t len = s->order.races.len;
	struct order_race *races = mem_alloc((len + 1) * sizeof(*races));
	bool is_found = false;

	if (len)
		memcpy(races, s->order.races.items, len * sizeof(*races));
	qsort(races, len, sizeof(*races), compare_races);
	for (size_t i = 0; i < len && !is_found && nearest_has_budget(s); i++) {
		build_reversed(s, races[i].first, races[i].second);
		is_found = nearest_try(s, races[i].first,
				       order_event(&s->order, races[i].second)) == NEAREST_PASSED &&
			   nearest_accept(s);
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

static void add_any(struct nearest *s, uint32_t actor, uint32_t ordinal)
{
	*vec_push(&s->candidate) = (struct decision){
		.actor = actor, .ordinal = ordinal, .kind = DECISION_ANY};
}

/* The run in which a process takes up to `steps` of its own steps before step `first`, whatever these are:
 * they need not be in the failing run, because its end may have ended the process. If it sleeps on the way,
 * its timers fire. Decisions that are not possible are dropped, so those behind a sleep are there twice. */
static void build_ahead(struct nearest *s, uint32_t first, uint32_t actor, uint32_t steps)
{
	const struct trace *t = s->found->trace;
	uint32_t ordinal = count_steps(t, actor, first);

	s->candidate.len = 0;
	for (uint32_t i = 0; i < first; i++)
		nearest_add(s, &t->events[i]);
	for (uint32_t sleeps = 0; sleeps <= SLEEPS_MAX; sleeps++) {
		for (uint32_t i = 0; i < steps; i++)
			add_any(s, actor, ordinal + i);
		for (uint32_t a = 0; a < t->actors_len && sleeps < SLEEPS_MAX; a++)
			if (t->actors[a].kind == ACTOR_TIMER && t->actors[a].parent == actor)
				add_any(s, a, count_steps(t, a, first) + sleeps);
	}
	for (uint32_t i = first; i < t->events_len; i++)
		if (t->events[i].actor != actor)
			nearest_add(s, &t->events[i]);
}

/* The number of steps that an actor can take before step `first`, such that the run ends well: the
 * least one. */
static bool try_ahead_at(struct nearest *s, uint32_t first, uint32_t actor)
{
	struct event next = {.actor = actor, .ordinal = count_steps(s->found->trace, actor, first)};

	build_ahead(s, first, actor, AHEAD_MAX);
	if (nearest_try(s, first, &next) != NEAREST_PASSED)
		return false;
	for (uint32_t steps = 1; steps < AHEAD_MAX && nearest_has_budget(s); steps++) {
		build_ahead(s, first, actor, steps);
		if (nearest_try(s, first, &next) == NEAREST_PASSED)
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

static bool try_ahead(struct nearest *s)
{
	const struct trace *t = s->found->trace;

	if (!has_processes(t))
		return false;
	for (uint32_t i = t->events_len; i-- > 0;)
		for (uint32_t actor = 0; actor < t->actors_len; actor++)
			if (actor != t->events[i].actor && nearest_has_budget(s) &&
			    !actor_is_virtual(&t->actors[actor]) && is_alive(t, actor, i) &&
			    try_ahead_at(s, i, actor) && nearest_accept(s))
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

static bool try_others_at(struct nearest *s, uint32_t step)
{
	const struct trace *t = s->found->trace;

	for (uint32_t actor = 0; actor < t->actors_len && nearest_has_budget(s); actor++) {
		const struct event *next = next_of(t, actor, step);

		if (actor == t->events[step].actor || !next ||
		    !bitset_has(trace_enabled(t, step), actor))
			continue;
		s->candidate.len = 0;
		for (uint32_t i = 0; i < step; i++)
			nearest_add(s, &t->events[i]);
		nearest_add(s, next);
		if (nearest_try(s, step, next) == NEAREST_PASSED && nearest_accept(s))
			return true;
	}
	return false;
}

static bool try_divergences(struct nearest *s)
{
	for (uint32_t i = s->found->trace->events_len; i-- > 0 && nearest_has_budget(s);)
		if (try_others_at(s, i))
			return true;
	return false;
}

/* ---- any other end ---- */

/* A few random runs behind a wait of `first` for `second`. */
static bool try_random(struct nearest *s, uint32_t first, uint32_t second)
{
	bool is_found = false;

	for (s->seed = 1; s->seed <= LOOSE_TRIES && !is_found && nearest_has_budget(s); s->seed++) {
		begin_waiting(s, first, second);
		is_found = nearest_try(s, first, order_event(&s->order, second)) == NEAREST_PASSED &&
			   nearest_accept(s);
	}
	s->seed = 0;
	return is_found;
}

/* The rest of the failing run may fail by a second order of the same kind, that of another client for
 * instance. So what comes behind the wait is not what came in the failing run. */
static void try_loosely(struct nearest *s)
{
	uint32_t len = s->found->trace->events_len;

	for (uint32_t first = len; first-- > 0;)
		for (uint32_t second = first + 1; second < len && nearest_has_budget(s); second++)
			if (is_pair(s, first, second) && try_random(s, first, second))
				return;
}

/* ---- steps that must come first, too ---- */

/* The first step of the actor between the two that makes a pair with `first`; or `first`. */
static uint32_t find_beside(const struct nearest *s, uint32_t first, uint32_t second, uint32_t actor)
{
	for (uint32_t i = first + 1; i < second; i++)
		if (s->found->trace->events[i].actor == actor && is_pair(s, first, i))
			return i;
	return first;
}

/* The beginning of the passing run, but without the steps of the actor of `left_out` from that one on. */
static void build_without(struct nearest *s, uint32_t first, uint32_t second, uint32_t left_out)
{
	const struct trace *t = s->found->trace;
	uint32_t release = find_release(s, first, second);

	s->candidate.len = 0;
	for (uint32_t i = 0; i <= release && i < t->events_len; i++)
		if (i < first || (t->events[i].actor != t->events[first].actor &&
				  (i < left_out || t->events[i].actor != t->events[left_out].actor)))
			nearest_add(s, &t->events[i]);
	for (uint32_t i = first; i < t->events_len; i++)
		nearest_add(s, &t->events[i]); /* those that were taken are dropped */
}

/* The steps are in the order of the run. */
static void add_also(struct found_pair *pair, uint32_t step)
{
	uint32_t i = pair->also_len++;

	for (; i && pair->also[i - 1] > step; i--)
		pair->also[i] = pair->also[i - 1];
	pair->also[i] = step;
}

/* While one actor waits for the second step, others go on. If the run fails unless their steps come first, too, as when
 * main must come last, behind each of its workers, the second step alone is not the answer. */
static void find_also(struct nearest *s)
{
	const struct trace *t = s->found->trace;
	struct found_pair *pair = &s->found->reversed;

	if (!found_has_pair(s->found) || pair->is_loose || pair->second >= t->events_len)
		return;
	for (uint32_t a = 0; a < t->actors_len && pair->also_len < FOUND_ALSO_MAX && nearest_has_budget(s); a++) {
		uint32_t beside = find_beside(s, pair->first, pair->second, a);

		if (beside == pair->first || a == pair->actor)
			continue;
		build_without(s, pair->first, pair->second, beside);
		if (nearest_fails_without(s, pair->first, &t->events[pair->second], &t->events[beside]))
			add_also(pair, beside);
	}
}

/* The order of the two accesses does not matter to a race, nor that of the use of an object and the end of its memory: the
 * run in which the end comes first is no better. */
static bool is_race(const struct finding *finding)
{
	return finding->kind == FINDING_RACE ||
	       (finding->sites_len && strcmp(finding->sites[0].role, FINDING_USES_OBJECT) == 0);
}

/* Each run of a hang takes seconds. */
static bool is_wanted(const struct found *found)
{
	uint32_t kind = found->finding.kind;

	return !is_race(&found->finding) && kind != FINDING_HANG && !found->always &&
	       found->trace->memory == MEMORY_SC;
}

void nearest_find(struct spare *spare, struct found *found, const struct shrink_budget *budget,
		  uint64_t *runs)
{
	struct nearest s = {.spare = spare,
			    .found = found,
			    .budget = budget,
			    .deadline = clock_seconds() + budget->seconds,
			    .runs_left = budget->runs,
			    .runs_done = runs,
			    .order = {.observers = OBSERVERS_NONE}};

	if (!is_wanted(found))
		return;
	order_build(&s.order, found->trace, 0);
	if (!try_all_waits(&s, false) && !try_all_waits(&s, true) && !try_races(&s) &&
	    !try_ahead(&s) && !s.aside.decisions && !try_divergences(&s))
		try_loosely(&s);
	find_also(&s);
	nearest_take_aside(&s);
	mem_free(s.best);
	order_release(&s.order);
	vec_release(&s.candidate);
}

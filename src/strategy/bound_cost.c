#include "strategy/bound_cost.h"

#include <string.h>

#include "base/bitset.h"
#include "base/hash.h"
#include "core/dependence.h"
#include "core/object.h"

enum { STATES_MAX = 4000 };

bool bound_is_timer(const struct event *event)
{
	return event->deadline || event_is_last_resort(event) || event->kind == EVENT_TIMER;
}

/* ---- the events ---- */

/* The number of the i-th event of the beginning: the steps to come are kept behind the trace. */
static uint32_t number_of(const struct bound_cost *c, uint32_t i)
{
	return i < c->begin ? i : c->trace->events_len + i - c->begin;
}

/* Does the event wait for nothing but the event that it names: the end of the actor it joins, the
 * message it takes? */
static bool waits_for_one(const struct event *event)
{
	return event->kind == EVENT_JOIN || (event->kind == EVENT_RECEIVE && !event->deadline);
}

static bool is_waited_for(const struct event *event, const struct event *earlier)
{
	if (event_joined(event) != ACTOR_NONE)
		return event_joined(event) == earlier->actor;
	return event_takes(event) && !event_polls(event) && event_is_fed_by(event, earlier);
}

/* The access by which the step of a process waits while others suspend the process, or NULL. */
static const struct access *find_pass(const struct event *event)
{
	for (uint32_t a = 0; a < event->access_len; a++)
		if (event->accesses[a].mode == ACCESS_PASS)
			return &event->accesses[a];
	return NULL;
}

/* Did the earlier event resume the process of the event? */
static bool is_resumed_by(const struct event *event, const struct event *earlier)
{
	const struct access *pass = find_pass(event), *other;

	other = pass ? event_find_access(earlier, pass->object) : NULL;
	return other && access_mode_unlocks(other->mode);
}

/* Could its actor have had to wait before the event, if nobody has suspended it? A process ends by
 * itself, without waiting, or because of a signal, which its last event names. */
static bool may_wait(const struct event *event)
{
	struct event without;

	if (event->kind == EVENT_FINISH)
		return event_peer(event) != ACTOR_NONE;
	if (event_kind_flags(event->kind) & EVENT_KIND_FED)
		return true;
	if (!find_pass(event))
		return event_may_wait(event);
	without = *event;
	without.access_len = 0;
	for (uint32_t a = 0; a < event->access_len; a++)
		if (event->accesses[a].mode != ACCESS_PASS)
			without.accesses[without.access_len++] = event->accesses[a];
	return event_may_wait(&without);
}

/* Could the event not happen at all before the earlier one, in any order? Where it is not known
 * which of the events that it depends on let it go, it may be all of them. */
static bool is_enabled_by(const struct event *event, const struct event *earlier)
{
	return bound_is_timer(event) || event_is_last_resort(earlier) ||
	       event_owner(earlier) == event->actor || event_is_upon(earlier, event) ||
	       (may_wait(event) && !waits_for_one(event)) ||
	       event_created(earlier) == event->actor || is_waited_for(event, earlier) ||
	       is_resumed_by(event, earlier);
}

/* Will the step do all that it announced? A signal may find nobody, and a compare-and-swap may
 * fail: then the step need not depend on all that its announcement depends on. A step of which nobody
 * knows the objects is announced as one that depends on all. */
static bool is_exact(const struct event *event)
{
	if (event_touches_all(event))
		return false;
	switch (event->kind) {
	case EVENT_COND_SIGNAL: case EVENT_COND_BROADCAST: case EVENT_CAS: case EVENT_TRYLOCK:
	case EVENT_TRYRDLOCK: case EVENT_SEM_TRYWAIT: case EVENT_IO_READ: case EVENT_IO_WRITE:
	case EVENT_IO_CLOSE: case EVENT_IO_POLL: case EVENT_FUTEX_WAIT: case EVENT_FUTEX_BLOCK:
	case EVENT_FUTEX_WAKE: case EVENT_SIGNAL_SEND: case EVENT_SIGNAL_TAKE:
	case EVENT_REGISTER: case EVENT_UNREGISTER: case EVENT_EXIT_SIGNAL: case EVENT_DEMONITOR:
	case EVENT_UNLINK: case EVENT_CANCEL: case EVENT_DELIVER: case EVENT_TAKE_EXIT:
		return false;
	case EVENT_ETS_WRITE: /* insert_new, update_counter, take: of one key, and may fail */
		return event->access_len &&
		       (event->accesses[0].announced == ACCESS_STORE ||
			OBJECT_CLASS(event->accesses[0].object) == OBJECT_TABLE);
	default:
		return true;
	}
}

/* Fills in how many steps of each actor among the first `before` events must come before the event
 * with that number, and how many it cannot do without. */
static void find_needs(struct bound_cost *c, uint32_t number, uint32_t before)
{
	uint32_t *needs = c->needs.items + (size_t)number * c->width;
	uint32_t *waits = c->waits.items + (size_t)number * c->width;
	const struct event *event = c->events.items[number];
	bool is_vague = number >= c->trace->events_len && !is_exact(event);

	memset(needs, 0, c->width * sizeof(*needs));
	memset(waits, 0, c->width * sizeof(*waits));
	for (uint32_t e = before; e-- > 0;) {
		const struct event *earlier = c->events.items[number_of(c, e)];

		if (waits[earlier->actor] > earlier->ordinal || !dependence_by_either(earlier, event))
			continue;
		if (is_enabled_by(event, earlier))
			waits[earlier->actor] = earlier->ordinal + 1;
		else if (is_vague)
			continue;
		if (needs[earlier->actor] <= earlier->ordinal)
			needs[earlier->actor] = earlier->ordinal + 1;
	}
}

void bound_cost_begin(struct bound_cost *c, const struct trace *trace)
{
	uint32_t len = trace->events_len, most = len + trace->actors_len + 1;

	c->trace = trace;
	c->begin = len;
	c->width = trace->actors_len;
	c->has_virtual = false;
	for (uint32_t a = 0; a < c->width; a++)
		c->has_virtual |= actor_is_virtual(&trace->actors[a]);
	vec_reserve(&c->events, most);
	vec_reserve(&c->needs, (size_t)most * c->width);
	vec_reserve(&c->waits, (size_t)most * c->width);
	vec_reserve(&c->places, c->width);
	vec_reserve(&c->order, most);
	vec_reserve(&c->total, c->width);
	vec_reserve(&c->path, c->width);
	vec_reserve(&c->next, c->width);
	vec_reserve(&c->asleep, trace->enabled_words + 1);
	for (uint32_t i = 0; i < len; i++) {
		c->events.items[i] = &trace->events[i];
		find_needs(c, i, i);
	}
}

static uint32_t add_event(struct bound_cost *c, const struct event *event, uint32_t before)
{
	uint32_t number = c->added++;

	c->events.items[number] = event;
	find_needs(c, number, before);
	return number;
}

/* The events of the beginning by actor. */
static void sort_events(struct bound_cost *c)
{
	uint32_t at = 0;

	memset(c->total.items, 0, c->width * sizeof(uint32_t));
	for (uint32_t i = 0; i < c->len; i++)
		c->total.items[c->events.items[number_of(c, i)]->actor]++;
	for (uint32_t a = 0; a < c->width; a++) {
		c->places.items[a] = at;
		at += c->total.items[a];
	}
	for (uint32_t i = 0; i < c->len; i++) {
		const struct event *e = c->events.items[number_of(c, i)];

		c->order.items[c->places.items[e->actor] + e->ordinal] = number_of(c, i);
	}
}

/* Will the step, which can be taken now, be taken sooner or later, whatever else happens? Not if its
 * process may be suspended for ever. */
static bool is_certain(const struct bound_cost *c, const struct event *event)
{
	return !bound_is_timer(event) && (!may_wait(event) || waits_for_one(event)) &&
	       !find_pass(event) && is_exact(event) &&
	       !actor_is_virtual(&c->trace->actors[event->actor]);
}

/* Notes the sleepers that the event does not wake and whose steps are known. Not where there are
 * virtual actors, which may let a sleeper go that could not go a step before. */
static void note_sleepers(struct bound_cost *c, const struct event *event,
			  const struct bound_others *others)
{
	c->enabled = others->enabled;
	c->sleepers = 0;
	memset(c->asleep.items, 0, others->words * sizeof(uint64_t));
	for (size_t i = 0; i < others->asleep_len && !c->has_virtual; i++) {
		const struct event *sleeper = &others->asleep[i];

		if (!c->next.items[sleeper->actor] || dependence_by_either(sleeper, event))
			continue;
		bitset_add(c->asleep.items, sleeper->actor);
		c->sleepers++;
	}
}

/* The first `len` events, the event behind them, and the next steps of other actors. */
static void take_beginning(struct bound_cost *c, uint32_t len, const struct event *event,
			   const struct bound_others *others)
{
	c->begin = len;
	c->len = len + 1;
	c->added = c->trace->events_len;
	add_event(c, event, len);
	memset(c->next.items, 0, c->width * sizeof(uint32_t));
	bitset_foreach(actor, others->enabled, others->words) {
		const struct event *next = others->next[actor];

		if (next && next->actor != event->actor && is_certain(c, next) &&
		    !(others->ended && bitset_has(others->ended, actor)))
			c->next.items[actor] = add_event(c, next, len + 1);
	}
	note_sleepers(c, event, others);
	sort_events(c);
}

/* ---- the cost of a step ---- */

static bool is_virtual(const struct bound_cost *c, uint32_t actor)
{
	return actor_is_virtual(&c->trace->actors[actor]);
}

/* The steps that the event needs, by `table`: are they done? */
static bool has_needs(const struct bound_cost *c, const uint32_t *table, const uint32_t *done,
		      uint32_t number)
{
	const uint32_t *needs = table + (size_t)number * c->width;
	uint32_t actor = c->events.items[number]->actor;

	for (uint32_t a = 0; a < c->width; a++)
		if (a != actor && done[a] < needs[a])
			return false;
	return true;
}

static bool has_steps(const struct bound_cost *c, const uint32_t *done, uint32_t actor)
{
	return done[actor] < c->total.items[actor];
}

static uint32_t next_step(const struct bound_cost *c, const uint32_t *done, uint32_t actor)
{
	return c->order.items[c->places.items[actor] + done[actor]];
}

/* May the actor go now, in an order of the same class? */
static bool may_go(const struct bound_cost *c, const uint32_t *done, uint32_t actor)
{
	return has_steps(c, done, actor) &&
	       has_needs(c, c->needs.items, done, next_step(c, done, actor));
}

/* Do the sleepers still hold? Behind the step that is added to the trace any step may come. */
static bool has_sleepers(const struct bound_cost *c, const uint32_t *done)
{
	return c->sleepers && has_steps(c, done, c->events.items[c->trace->events_len]->actor);
}

/* May the actor, which is not asleep, take a step behind the beginning now? */
static bool may_go_behind(const struct bound_cost *c, const uint32_t *done, uint32_t actor)
{
	return bitset_has(c->enabled, actor) && !bitset_has(c->asleep.items, actor) &&
	       !has_steps(c, done, actor) &&
	       (!c->next.items[actor] || has_needs(c, c->needs.items, done, c->next.items[actor]));
}

/* Could the actor take its next step now, though it may be another class then? Its step behind the
 * beginning counts only while it would be another class: from then on the step can be taken, for
 * nothing if the actor is the one to go on, and no other step waits for it. The step of a sleeper
 * (`asleep`: they still sleep) must not be taken before another step behind the beginning. */
static bool can_go(const struct bound_cost *c, const uint32_t *done, uint32_t actor, bool asleep)
{
	uint32_t next;

	if (has_steps(c, done, actor))
		return has_needs(c, c->waits.items, done, next_step(c, done, actor));
	next = c->next.items[actor];
	return next && has_needs(c, c->waits.items, done, next) &&
	       ((asleep && bitset_has(c->asleep.items, actor)) ||
		!has_needs(c, c->needs.items, done, next));
}

static uint32_t count_delays(const struct bound_cost *c, const uint32_t *done, uint32_t last,
			     uint32_t actor, bool asleep)
{
	uint32_t delays = 1, first = 0;

	if (last == ACTOR_NONE || !can_go(c, done, last, asleep)) {
		while (!can_go(c, done, first, asleep))
			first++;
		last = first;
	}
	if (actor == last)
		return 0;
	for (uint32_t a = 0; a < actor; a++)
		delays += a != last && can_go(c, done, a, asleep);
	return delays;
}

static uint32_t cost_of_step(const struct bound_cost *c, const uint32_t *done, uint32_t last,
			     uint32_t actor, bool asleep)
{
	if (c->kind == BOUND_DELAYS)
		return count_delays(c, done, last, actor, asleep);
	return last != ACTOR_NONE && actor != last && !is_virtual(c, actor) &&
	       can_go(c, done, last, asleep);
}

/* A virtual actor may let the last one go on. If that could not go before, a step behind the
 * beginning may have come in between for nothing, and then another actor is the last one. */
static uint32_t last_after(const struct bound_cost *c, const uint32_t *done, uint32_t last,
			   uint32_t actor)
{
	if (c->kind != BOUND_PREEMPTIONS || !is_virtual(c, actor))
		return actor;
	return last != ACTOR_NONE && can_go(c, done, last, false) ? last : ACTOR_NONE;
}

static uint32_t cost_of_path(struct bound_cost *c)
{
	uint32_t *done = c->path.items, cost = 0, last = ACTOR_NONE;

	memset(done, 0, c->width * sizeof(*done));
	for (uint32_t i = 0; i < c->len; i++) {
		uint32_t actor = c->events.items[number_of(c, i)]->actor;

		cost += cost_of_step(c, done, last, actor, has_sleepers(c, done));
		last = last_after(c, done, last, actor);
		done[actor]++;
	}
	return cost;
}

/* ---- the shortest way ---- */

static void add_state(struct bound_cost *c, const uint32_t *done, struct bound_state state)
{
	uint64_t key = hash_combine(hash_bytes(done, c->width * sizeof(*done)), state.last);
	uint64_t *best;

	state.key = hash_combine(key, state.asleep);
	best = map_put(&c->best, state.key, NULL);
	if (*best && *best <= state.cost + 1)
		return;
	*best = state.cost + 1;
	state.done = (uint32_t)c->counts.len;
	vec_append(&c->counts, done, c->width);
	*vec_push(&c->states) = state;
}

/* Adds the state in which a step behind the beginning has been taken. It may have woken all
 * sleepers, and who went last is not known. */
static void wake_sleepers(struct bound_cost *c, const uint32_t *done, struct bound_state state)
{
	struct bound_state next = {.last = ACTOR_NONE};

	for (uint32_t a = 0; a < c->width; a++) {
		if (!may_go_behind(c, done, a))
			continue;
		next.cost = state.cost + cost_of_step(c, done, state.last, a, true);
		add_state(c, done, next);
	}
}

/* Adds the states that one step leads to. True: all steps are done. */
static bool expand(struct bound_cost *c, struct bound_state state)
{
	uint32_t *done = c->path.items, sum = 0;
	bool asleep;

	memcpy(done, c->counts.items + state.done, c->width * sizeof(*done));
	for (uint32_t a = 0; a < c->width; a++)
		sum += done[a];
	if (sum == c->len)
		return true;
	asleep = state.asleep && has_sleepers(c, done);
	if (asleep)
		wake_sleepers(c, done, state);
	for (uint32_t a = 0; a < c->width; a++) {
		struct bound_state next = {.asleep = asleep};

		if (!may_go(c, done, a))
			continue;
		next.last = last_after(c, done, state.last, a);
		next.cost = state.cost + cost_of_step(c, done, state.last, a, asleep);
		done[a]++;
		add_state(c, done, next);
		done[a]--;
	}
	return false;
}

/* States in the order of their costs. A step that costs nothing adds a state of the same cost at
 * the end of the list, so the same round comes to that state. */
static uint32_t find_least(struct bound_cost *c, uint32_t most)
{
	map_clear(&c->best);
	c->states.len = c->counts.len = 0;
	memset(c->path.items, 0, c->width * sizeof(uint32_t));
	add_state(c, c->path.items,
		  (struct bound_state){.last = ACTOR_NONE, .asleep = c->sleepers > 0});
	for (uint32_t cost = 0; cost < most; cost++)
		for (size_t i = 0; i < c->states.len; i++) {
			struct bound_state state = c->states.items[i];

			if (state.cost != cost || *map_get(&c->best, state.key) != cost + 1)
				continue;
			if (expand(c, state) || c->states.len > STATES_MAX)
				return cost;
		}
	return most;
}

uint32_t bound_cost_of(struct bound_cost *c, uint32_t len, const struct event *event,
		       const struct bound_others *others, uint32_t enough, uint32_t most)
{
	uint32_t cost;

	take_beginning(c, len, event, others);
	cost = cost_of_path(c);
	if (cost <= enough)
		return cost;
	return find_least(c, most < cost ? most + 1 : cost);
}

void bound_cost_release(struct bound_cost *c)
{
	vec_release(&c->events);
	vec_release(&c->needs);
	vec_release(&c->waits);
	vec_release(&c->places);
	vec_release(&c->order);
	vec_release(&c->total);
	vec_release(&c->path);
	vec_release(&c->next);
	vec_release(&c->asleep);
	vec_release(&c->counts);
	vec_release(&c->states);
	map_release(&c->best);
}

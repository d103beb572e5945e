#include "strategy/footprint.h"

#include <string.h>

#include "base/bitset.h"
#include "base/hash.h"
#include "core/dependence.h"
#include "strategy/bound_cost.h"

/* ---- steps that were seen ---- */

static uint64_t hash_step(const struct event *event)
{
	uint64_t hash = hash_combine(event->actor, event->kind);

	hash = hash_combine(hash, event_peer(event));
	for (uint32_t a = 0; a < event->access_len; a++) {
		hash = hash_combine(hash, event->accesses[a].object);
		hash = hash_combine(hash, event->accesses[a].announced);
		hash = hash_combine(hash, access_value(&event->accesses[a]));
	}
	return hash_combine(hash, event->deadline != 0);
}

/* The greatest number of as many binary digits: a loop that goes on longer in another run rarely
 * makes a difference then. */
static uint32_t round_up(uint32_t ordinal)
{
	uint32_t rounded = 0;

	while (rounded < ordinal)
		rounded = rounded << 1 | 1;
	return rounded;
}

/* Could `other`, a step of an actor that is not tried, come before e and depend on it? A step that
 * needs e cannot: the first step of an actor that e creates, a receive of the message e. */
static bool is_threat(const struct event *e, const struct event *other)
{
	if (event_created(e) == other->actor)
		return false;
	if (bound_is_timer(e) || bound_is_timer(other))
		return true;
	if (event_accesses_conflict(e->accesses, e->access_len, other->accesses, other->access_len))
		return true;
	return dependence_by_either(e, other) && !(event_takes(other) && event_is_fed_by(other, e)) &&
	       event_created(other) != e->actor;
}

static bool threatens_relied(const struct footprints *f, const struct event *other)
{
	for (size_t i = 0; i < f->relied_on.len; i++)
		if (f->relied_on.items[i].actor != other->actor &&
		    is_threat(&f->relied_on.items[i], other))
			return true;
	return false;
}

/* Notes the actor that the step, an exit signal, may end. */
static void note_end(struct footprints *f, const struct event *event)
{
	uint32_t receiver = event_exit_receiver(event);

	if (receiver == ACTOR_NONE)
		return;
	while (f->ended.len <= receiver / 64)
		*vec_push(&f->ended) = 0;
	bitset_add(f->ended.items, receiver);
}

static bool add_step(struct footprints *f, const struct event *event)
{
	struct footprint_vec *steps;
	uint64_t *place = map_put(&f->known, hash_step(event), NULL);
	uint32_t until = round_up(event->ordinal);

	while (f->actors.len <= event->actor)
		*vec_push(&f->actors) = (struct footprint_vec){0};
	note_end(f, event);
	steps = &f->actors.items[event->actor];
	if (*place && steps->items[*place - 1].until >= until)
		return true;
	if (!*place) {
		*vec_push(steps) = (struct footprint){.event = event_as_announced(event)};
		*place = steps->len;
	}
	steps->items[*place - 1].until = until;
	return !threatens_relied(f, &steps->items[*place - 1].event);
}

bool footprints_add(struct footprints *f, const struct trace *trace)
{
	bool is_enough = true;

	for (uint32_t i = 0; i < trace->events_len; i++)
		is_enough &= add_step(f, &trace->events[i]);
	for (uint32_t i = 0; i < trace->pending_len; i++)
		is_enough &= add_step(f, &trace->pending[i]);
	for (uint32_t i = 0; i < trace->withdrawn_len; i++)
		is_enough &= add_step(f, &trace->withdrawn[i].event);
	return is_enough;
}

bool footprints_have_timer(const struct trace *trace)
{
	for (uint32_t i = 0; i < trace->events_len; i++)
		if (bound_is_timer(&trace->events[i]))
			return true;
	for (uint32_t i = 0; i < trace->pending_len; i++)
		if (bound_is_timer(&trace->pending[i]))
			return true;
	return trace->withdrawn_len > 0;
}

/* ---- a place of a run ---- */

/* The announcement of the actor at the place that was withdrawn later, or NULL. */
static const struct event *find_withdrawn(const struct trace *trace, uint32_t actor, uint32_t place)
{
	for (uint32_t w = 0; w < trace->withdrawn_len; w++)
		if (trace->withdrawn[w].step >= place && trace->withdrawn[w].event.actor == actor)
			return &trace->withdrawn[w].event;
	return NULL;
}

/* The announcement of the actor at the place, or NULL. It is the next event of the actor, unless it
 * was withdrawn before. */
static const struct event *find_next(const struct trace *trace, uint32_t actor, uint32_t place)
{
	const struct event *withdrawn = find_withdrawn(trace, actor, place);

	for (uint32_t i = place; i < trace->events_len; i++)
		if (trace->events[i].actor == actor)
			return withdrawn && withdrawn->ordinal <= trace->events[i].ordinal
				       ? withdrawn : &trace->events[i];
	for (uint32_t i = 0; i < trace->pending_len; i++)
		if (trace->pending[i].actor == actor && !withdrawn)
			return &trace->pending[i];
	return withdrawn;
}

/* Notes the actor's next step as it may be at the place. The run shows the step as it was taken, or
 * announced last. If it finds its objects behind a name, and a step in between changes the name, then
 * at the place it may touch others.
 *     P: register(n, P) | A: n ! x, P: unregister(n)     In a run in which A comes last its message
 *                                                        goes to nobody, here it goes to P. */
static void set_next(struct footprints *f, const struct trace *trace, uint32_t actor,
		     uint32_t place)
{
	const struct event *next = find_next(trace, actor, place);

	f->next.items[actor] = next;
	for (uint32_t i = place; next && i < trace->events_len && &trace->events[i] != next; i++) {
		if (!event_is_redirected(&trace->events[i], next))
			continue;
		f->expected.items[actor] = event_expected_before(&trace->events[i], next);
		event_fix_announced(&f->expected.items[actor]);
		f->next.items[actor] = &f->expected.items[actor];
		break;
	}
}

void footprints_start(struct footprints *f, const struct trace *trace, uint32_t place)
{
	uint32_t width = trace->actors_len;

	vec_reserve(&f->next, width);
	vec_reserve(&f->expected, width);
	vec_reserve(&f->done, width);
	vec_reserve(&f->seen, width);
	vec_reserve(&f->set, trace->enabled_words + 1);
	while (f->ended.len <= trace->enabled_words)
		*vec_push(&f->ended) = 0;
	memset(f->next.items, 0, width * sizeof(*f->next.items));
	memset(f->done.items, 0, width * sizeof(*f->done.items));
	memset(f->seen.items, 0, width * sizeof(*f->seen.items));
	for (uint32_t i = 0; i < trace->pending_len; i++)
		f->seen.items[trace->pending[i].actor]++;
	for (uint32_t i = 0; i < trace->events_len; i++) {
		f->seen.items[trace->events[i].actor]++;
		f->done.items[trace->events[i].actor] += i < place;
	}
	for (uint32_t actor = 0; actor < width; actor++)
		set_next(f, trace, actor, place);
}

void footprints_pass(struct footprints *f, const struct trace *trace, uint32_t place)
{
	uint32_t actor = trace->events[place].actor;

	f->done.items[actor]++;
	set_next(f, trace, actor, place + 1);
	for (uint32_t w = 0; w < trace->withdrawn_len; w++)
		if (trace->withdrawn[w].step == place)
			set_next(f, trace, trace->withdrawn[w].event.actor, place + 1);
	for (actor = 0; actor < trace->actors_len; actor++)
		if (f->next.items[actor] == &f->expected.items[actor])
			set_next(f, trace, actor, place + 1);
}

/* Has the actor ended before the place? A virtual actor may come back. */
static bool is_over(const struct footprints *f, const struct trace *trace, uint32_t actor)
{
	return actor < trace->actors_len && !actor_is_virtual(&trace->actors[actor]) &&
	       f->done.items[actor] && f->done.items[actor] == f->seen.items[actor];
}

/* May the actor, behind the place, take a step that conflicts with e? */
static bool may_meet(const struct footprints *f, const struct trace *trace, uint32_t actor,
		     const struct event *e)
{
	uint32_t done = actor < trace->actors_len ? f->done.items[actor] : 0;

	if (is_over(f, trace, actor))
		return false;
	for (size_t i = 0; i < f->actors.items[actor].len; i++) {
		const struct footprint *step = &f->actors.items[actor].items[i];

		if (step->until >= done && is_threat(e, &step->event))
			return true;
	}
	return false;
}

/* Adds the actors that may meet e. False: one of them cannot go at the place. */
static bool add_rivals(struct footprints *f, const struct trace *trace, const uint64_t *enabled,
		       const struct event *e, bool *is_more)
{
	for (uint32_t actor = 0; actor < f->actors.len; actor++) {
		if (actor == e->actor ||
		    (actor < trace->actors_len && bitset_has(f->set.items, actor)) ||
		    !may_meet(f, trace, actor, e))
			continue;
		if (actor >= trace->actors_len || !bitset_has(enabled, actor))
			return false;
		bitset_add(f->set.items, actor);
		*is_more = true;
	}
	return true;
}

static void rely_on(struct footprints *f, const struct event *e)
{
	uint64_t *is_known = map_put(&f->relied, hash_step(e), NULL);

	if (*is_known)
		return;
	*is_known = 1;
	*vec_push(&f->relied_on) = *e;
}

void footprints_choose(struct footprints *f, const struct trace *trace, uint32_t place,
		       uint32_t first)
{
	const uint64_t *enabled = trace_enabled(trace, place);
	bool is_more = true, is_enough = true;

	memset(f->set.items, 0, trace->enabled_words * sizeof(uint64_t));
	bitset_add(f->set.items, first);
	while (is_more && is_enough) {
		is_more = false;
		bitset_foreach(actor, f->set.items, trace->enabled_words) {
			struct event e;

			if (!f->next.items[actor]) {
				is_enough = false;
				break;
			}
			e = event_as_announced(f->next.items[actor]);
			is_enough = is_enough && add_rivals(f, trace, enabled, &e, &is_more);
		}
	}
	if (!is_enough) {
		memcpy(f->set.items, enabled, trace->enabled_words * sizeof(uint64_t));
		return;
	}
	if (bitset_count(f->set.items, trace->enabled_words) ==
	    bitset_count(enabled, trace->enabled_words))
		return;
	bitset_foreach(actor, f->set.items, trace->enabled_words) {
		struct event e = event_as_announced(f->next.items[actor]);

		rely_on(f, &e);
	}
}

void footprints_clear(struct footprints *f)
{
	for (size_t i = 0; i < f->actors.len; i++)
		vec_release(&f->actors.items[i]);
	f->actors.len = f->relied_on.len = f->ended.len = 0;
	map_clear(&f->known);
	map_clear(&f->relied);
}

void footprints_release(struct footprints *f)
{
	footprints_clear(f);
	vec_release(&f->actors);
	vec_release(&f->relied_on);
	vec_release(&f->set);
	vec_release(&f->ended);
	vec_release(&f->next);
	vec_release(&f->expected);
	vec_release(&f->done);
	vec_release(&f->seen);
	map_release(&f->known);
	map_release(&f->relied);
}

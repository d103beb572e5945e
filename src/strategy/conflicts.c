#include "strategy/conflicts.h"

#include <stdlib.h>

#include "core/dependence.h"

/* ---- the index ---- */

static bool is_decision(const struct conflicts *c, const struct event *event)
{
	return c->grain == GRAIN_EVENT || event->ordinal == 0 ||
	       actor_is_virtual(&c->trace->actors[event->actor]) ||
	       (event_kind_flags(event->kind) & EVENT_KIND_INWARD);
}

/* Which decision does each event belong to, and which is the next of its actor? */
static void find_heads(struct conflicts *c)
{
	const struct trace *trace = c->trace;

	c->next.len = c->heads.len = 0;
	map_clear(&c->ran); /* actor -> its last event so far */
	for (uint32_t i = 0; i < trace->events_len; i++) {
		bool is_new;
		uint64_t *last = map_put(&c->ran, trace->events[i].actor, &is_new);
		bool is_head = is_new || is_decision(c, &trace->events[i]);
		uint32_t head = is_head ? i : c->heads.items[*last];

		*vec_push(&c->heads) = head;
		*vec_push(&c->next) = CONFLICT_NONE;
		if (!is_new)
			c->next.items[*last] = i;
		*last = i;
	}
}

static void add_access(struct conflicts *c, uint32_t head, const struct access *access)
{
	bool is_new;
	uint64_t *last;

	if (access->announced == ACCESS_WORLD)
		return; /* nothing can be moved past the end */
	last = map_put(&c->last_access, access->object, &is_new);
	*vec_push(&c->accesses) = (struct conflict_access){
		.event = head, .mode = access->announced,
		.prev = is_new ? CONFLICT_NONE : (uint32_t)*last};
	*last = c->accesses.len - 1;
}

void conflicts_build(struct conflicts *c, const struct trace *trace, uint32_t grain)
{
	c->trace = trace;
	c->grain = grain;
	c->accesses.len = 0;
	map_clear(&c->last_access);
	find_heads(c);
	for (uint32_t i = 0; i < trace->events_len; i++)
		for (uint32_t a = 0; a < trace->events[i].access_len; a++)
			add_access(c, c->heads.items[i], &trace->events[i].accesses[a]);
}

void conflicts_release(struct conflicts *c)
{
	vec_release(&c->accesses);
	vec_release(&c->next);
	vec_release(&c->heads);
	map_release(&c->last_access);
	map_release(&c->ran);
}

/* ---- pairs ---- */

static bool is_conflict(const struct conflicts *c, uint32_t first, const struct access *access,
			const struct conflict_access *later)
{
	const struct event *a = &c->trace->events[first], *b = &c->trace->events[later->event];

	return a->actor != b->actor && access_modes_conflict(access->announced, later->mode) &&
	       !event_mode_is_needed(a, access->announced, b, later->mode);
}

/* The next access at or before `at` that is after `first` and conflicts with the access. */
static uint32_t find_back(const struct conflicts *c, uint32_t first, const struct access *access,
			  uint32_t at)
{
	while (at != CONFLICT_NONE && c->accesses.items[at].event > first) {
		if (is_conflict(c, first, access, &c->accesses.items[at]))
			return at;
		at = c->accesses.items[at].prev;
	}
	return CONFLICT_NONE;
}

static uint32_t last_of(const struct conflicts *c, const struct access *access)
{
	const uint64_t *last = access->announced == ACCESS_WORLD
				       ? NULL : map_get(&c->last_access, access->object);

	return last ? (uint32_t)*last : CONFLICT_NONE;
}

/* The event after this one that belongs to the same decision, or CONFLICT_NONE. */
static uint32_t next_of_decision(const struct conflicts *c, uint32_t first, uint32_t event)
{
	uint32_t next = c->next.items[event];

	return next != CONFLICT_NONE && c->heads.items[next] == first ? next : CONFLICT_NONE;
}

static uint32_t last_for_event(const struct conflicts *c, uint32_t first, const struct event *event)
{
	uint32_t last = CONFLICT_NONE;

	for (uint32_t a = 0; a < event->access_len; a++) {
		const struct access *access = &event->accesses[a];
		uint32_t at = find_back(c, first, access, last_of(c, access));

		if (at != CONFLICT_NONE &&
		    (last == CONFLICT_NONE || c->accesses.items[at].event > last))
			last = c->accesses.items[at].event;
	}
	return last;
}

uint32_t conflicts_last(const struct conflicts *c, uint32_t first)
{
	uint32_t last = CONFLICT_NONE;

	if (c->heads.items[first] != first)
		return CONFLICT_NONE;
	for (uint32_t i = first; i != CONFLICT_NONE; i = next_of_decision(c, first, i)) {
		uint32_t found = last_for_event(c, first, &c->trace->events[i]);

		if (found != CONFLICT_NONE && (last == CONFLICT_NONE || found > last))
			last = found;
	}
	return last;
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static void sort_unique(struct index_vec *indices)
{
	size_t kept = 0;

	if (indices->len)
		qsort(indices->items, indices->len, sizeof(*indices->items), compare);
	for (size_t i = 0; i < indices->len; i++)
		if (!kept || indices->items[kept - 1] != indices->items[i])
			indices->items[kept++] = indices->items[i];
	indices->len = kept;
}

static void add_for_event(const struct conflicts *c, uint32_t first, const struct event *event,
			  struct index_vec *seconds)
{
	for (uint32_t a = 0; a < event->access_len; a++) {
		const struct access *access = &event->accesses[a];
		uint32_t at = find_back(c, first, access, last_of(c, access));

		while (at != CONFLICT_NONE) {
			*vec_push(seconds) = c->accesses.items[at].event;
			at = find_back(c, first, access, c->accesses.items[at].prev);
		}
	}
}

void conflicts_all(const struct conflicts *c, uint32_t first, struct index_vec *seconds)
{
	seconds->len = 0;
	if (c->heads.items[first] != first)
		return;
	for (uint32_t i = first; i != CONFLICT_NONE; i = next_of_decision(c, first, i))
		add_for_event(c, first, &c->trace->events[i], seconds);
	sort_unique(seconds);
}

/* ---- schedules ---- */

void delay_decisions(const struct trace *trace, uint32_t first, uint32_t second,
		     struct decision_vec *decisions)
{
	decisions->len = 0;
	vec_reserve(decisions, trace->events_len);
	for (uint32_t i = 0; i < trace->events_len; i++) {
		if (i != first)
			*vec_push(decisions) = decision_of(&trace->events[i]);
		if (i == second)
			*vec_push(decisions) = decision_of(&trace->events[first]);
	}
}

static uint64_t key_of(const struct event *event)
{
	return (uint64_t)event->actor << 32 | event->ordinal;
}

static bool is_same_step(const struct event *a, const struct event *b)
{
	struct decision d = decision_of(a);

	return a->actor == b->actor && decision_matches(&d, b);
}

void delay_passed(struct conflicts *c, uint32_t first, const struct trace *ran,
		  struct index_vec *passed)
{
	const struct event *events = c->trace->events;
	uint32_t at = 0;
	size_t kept = 0;

	map_clear(&c->ran);
	while (at < ran->events_len && !is_same_step(&events[first], &ran->events[at])) {
		*map_put(&c->ran, key_of(&ran->events[at]), NULL) = at;
		at++;
	}
	passed->len = 0;
	if (at == ran->events_len)
		return;
	conflicts_all(c, first, passed);
	for (size_t i = 0; i < passed->len; i++) {
		const struct event *second = &events[passed->items[i]];
		const uint64_t *where = map_get(&c->ran, key_of(second));

		if (where && is_same_step(second, &ran->events[*where]))
			passed->items[kept++] = passed->items[i];
	}
	passed->len = kept;
}

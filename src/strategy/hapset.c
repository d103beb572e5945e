#include "strategy/hapset.h"

#include <stdlib.h>

#include "core/dependence.h"

/* ---- learning (Algorithm 1 of the paper, procedure LearnHaPSets) ---- */

bool hapset_counts(const struct access *access)
{
	enum access_family family = access_family(access->mode);

	return family != ACCESS_FAMILY_LIFE && family != ACCESS_FAMILY_WORLD &&
	       !access_mode_unlocks(access->mode);
}

bool hapset_conflict(const struct event *a, const struct event *b)
{
	for (uint32_t i = 0; i < a->access_len; i++)
		for (uint32_t j = 0; j < b->access_len; j++)
			if (hapset_counts(&a->accesses[i]) && hapset_counts(&b->accesses[j]) &&
			    access_conflict(&a->accesses[i], &b->accesses[j]) &&
			    access_is_observed(&a->accesses[i], &b->accesses[j]))
				return true;
	return false;
}

bool hapset_is_good(const struct trace *trace)
{
	return trace->end == END_DONE && !trace->notices_len && !ends_are_bad(trace);
}

static uint32_t add_pair(struct hapset *set, uint32_t statement, const struct event *before)
{
	bool is_new;
	uint64_t *run = map_put(&set->pairs,
				hapset_pair(statement, statement_of(&set->statements, before)),
				&is_new);

	if (is_new)
		*run = set->runs;
	return is_new;
}

/* Was an access of that actor found already, between `from` and `to` (both plus one)? Only
 * the last of each actor counts. */
static bool is_met(const struct hapset *set, const struct trace *trace, uint32_t from, uint32_t to,
		   uint32_t actor)
{
	for (uint32_t at = from; at != to; at = set->accesses.items[at - 1].prev)
		if (trace->events[set->accesses.items[at - 1].event].actor == actor)
			return true;
	return false;
}

/* Back along the accesses to the object, up to the last one of the event's own actor. */
static uint32_t learn_access(struct hapset *set, const struct trace *trace, uint32_t i,
			     const struct access *access, uint32_t last)
{
	const struct event *event = &trace->events[i];
	uint32_t news = 0;

	for (uint32_t at = last; at; at = set->accesses.items[at - 1].prev) {
		const struct hapset_access *seen = &set->accesses.items[at - 1];
		const struct event *other = &trace->events[seen->event];
		struct access was = {.object = access->object, .mode = (uint16_t)seen->mode,
				     .detail = seen->detail};

		if (other->actor == event->actor)
			break;
		if (access_conflict(&was, access) && access_is_observed(&was, access) &&
		    !is_met(set, trace, last, at, other->actor))
			news += add_pair(set, statement_of(&set->statements, event), other);
	}
	return news;
}

/* Does the event give up a lock because it waits on a condition? The lock that another actor
 * takes next is directly after the wait, not after the lock that began the critical section:
 *
 *     main:    lock crew, lock pool, unlock pool, wait (gives up crew)
 *     worker:  lock pool,                                                lock crew
 *
 * This run does not show that the worker may ask for crew right after main has taken it. */
static bool is_left_by_waiting(const struct event *event, const struct access *access)
{
	if (!access_mode_unlocks(access->mode))
		return false;
	for (uint32_t a = 0; a < event->access_len; a++)
		if (event->accesses[a].mode == ACCESS_ENTER)
			return true;
	return false;
}

static uint32_t learn_event(struct hapset *set, const struct trace *trace, uint32_t i)
{
	const struct event *event = &trace->events[i];
	uint32_t news = 0;

	for (uint32_t a = 0; a < event->access_len; a++) {
		const struct access *access = &event->accesses[a];
		uint64_t *last;

		if (!hapset_counts(access) && !is_left_by_waiting(event, access))
			continue;
		last = map_put(&set->last_access, access->object, NULL);
		if (hapset_counts(access))
			news += learn_access(set, trace, i, access, (uint32_t)*last);
		*vec_push(&set->accesses) = (struct hapset_access){
			.event = i, .mode = access->mode,
			.prev = (uint32_t)*last, .detail = access->detail};
		*last = set->accesses.len;
	}
	return news;
}

/* The event that sent the message which the receive took. */
static const struct event *find_sender(const struct trace *trace, uint32_t i)
{
	const struct event *receive = &trace->events[i];

	while (i-- > 0)
		if (event_is_fed_by(receive, &trace->events[i]))
			return &trace->events[i];
	return NULL;
}

uint32_t hapset_learn(struct hapset *set, const struct trace *trace)
{
	size_t step = set->runs / HAPSET_CURVE_STEP;
	uint32_t news = 0;

	set->runs++;
	set->accesses.len = 0;
	map_clear(&set->last_access);
	for (uint32_t i = 0; i < trace->events_len; i++) {
		const struct event *event = &trace->events[i];
		const struct event *sender = NULL;

		news += learn_event(set, trace, i);
		if (event->kind == EVENT_RECEIVE && event_peer(event) != ACTOR_NONE)
			sender = find_sender(trace, i);
		if (sender && sender->actor != event->actor)
			news += add_pair(set, statement_of(&set->statements, event), sender);
	}
	while (set->curve.len <= step)
		*vec_push(&set->curve) = 0;
	set->curve.items[step] += news;
	return news;
}

/* ---- what has not been seen ---- */

static struct hapset_missed *missed_of(struct hapset *set, uint64_t pair)
{
	bool is_new;
	uint64_t *index = map_put(&set->missed_index, pair, &is_new);

	if (is_new) {
		*index = set->missed.len;
		*vec_push(&set->missed) = (struct hapset_missed){.pair = pair};
	}
	return &set->missed.items[*index];
}

bool hapset_race(struct hapset *set, uint32_t first, uint32_t second)
{
	uint64_t pair = hapset_pair(first, second);

	if (hapset_has(set, pair))
		return false;
	missed_of(set, pair)->raced++;
	return true;
}

void hapset_tried(struct hapset *set, uint64_t pair)
{
	missed_of(set, pair)->tried++;
}

static int compare_risk(const void *a, const void *b)
{
	const struct hapset_missed *x = a, *y = b;

	if (!x->tried != !y->tried)
		return x->tried ? 1 : -1;
	if (x->raced != y->raced)
		return x->raced < y->raced ? 1 : -1;
	return x->pair < y->pair ? -1 : x->pair > y->pair;
}

uint32_t hapset_missed_len(const struct hapset *set)
{
	uint32_t len = 0;

	for (size_t i = 0; i < set->missed.len; i++)
		len += !hapset_has(set, set->missed.items[i].pair);
	return len;
}

uint32_t hapset_riskiest(const struct hapset *set, struct hapset_missed *out, uint32_t max)
{
	struct hapset_missed *sorted = mem_alloc(set->missed.len * sizeof(*sorted) + 1);
	uint32_t len = 0;

	for (size_t i = 0; i < set->missed.len; i++)
		if (!hapset_has(set, set->missed.items[i].pair))
			sorted[len++] = set->missed.items[i];
	if (len)
		qsort(sorted, len, sizeof(*sorted), compare_risk);
	if (len > max)
		len = max;
	if (len)
		memcpy(out, sorted, len * sizeof(*out));
	mem_free(sorted);
	return len;
}

void hapset_release(struct hapset *set)
{
	statements_release(&set->statements);
	map_release(&set->pairs);
	map_release(&set->missed_index);
	map_release(&set->last_access);
	vec_release(&set->missed);
	vec_release(&set->curve);
	vec_release(&set->accesses);
}

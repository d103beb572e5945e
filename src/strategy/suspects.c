/* suspects.c: pairs of watched events first, then dpor.
 *
 * The target marks events at places the user asked about: an actor reads something at one and
 * acts on it at another (event.watched). Wanted is a run in which another actor writes
 * between the two. Each run shows where the pairs are and how to get there:
 *
 *   postpone      the run up to the second event, whose actor then sleeps until an event
 *                 conflicts with it: the other actors go first
 *   procrastinate a write of another actor came too late: the second event is put off past it;
 *                 it came too early: the write is put off past the first event
 *
 * Beginning with the default schedule and a few random ones, as long as there is something new
 * to try, up to a limit. Without marks nothing of this happens. Then dpor explores the whole
 * space, so a write between the two that dpor does not show is not possible. */
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "core/dependence.h"
#include "strategy/conflicts.h"
#include "strategy/strategy.h"

enum { FIRST_RUNS = 10, TRIES_MAX = 300, POSTPONED_TRIES = 3 };

/* A schedule to try. */
struct try {
	struct decision_vec decisions;
	struct event postponed; /* the step of the actor that sleeps, if is_postponing */
	uint64_t seed;
	bool is_postponing;
};

struct suspects {
	struct strategy base;
	struct strategy *dpor;
	uint64_t seed;
	struct rng rng;
	VEC(struct try) tries;
	struct map known;   /* hashes of tries made */
	size_t next;        /* of tries */
	uint32_t first_runs; /* made so far */
	bool is_dpor;       /* the schedule handed out last is dpor's */
};

/* ---- what to try ---- */

static uint64_t hash_try(const struct try *t)
{
	uint64_t hash = hash_combine(t->is_postponing, t->seed);

	for (size_t i = 0; i < t->decisions.len; i++)
		hash = hash_combine(hash, (uint64_t)t->decisions.items[i].actor << 32 |
						  t->decisions.items[i].ordinal);
	return hash;
}

/* Takes the decisions. */
static void add_try(struct suspects *s, struct try t)
{
	bool is_new = false;

	if (s->tries.len < TRIES_MAX)
		map_put(&s->known, hash_try(&t), &is_new);
	if (is_new)
		*vec_push(&s->tries) = t;
	else
		vec_release(&t.decisions);
}

static void add_postponed(struct suspects *s, const struct trace *trace, uint32_t second)
{
	for (uint64_t seed = 0; seed < POSTPONED_TRIES; seed++) {
		struct try t = {.postponed = trace->events[second], .seed = seed,
				.is_postponing = true};

		for (uint32_t i = 0; i < second; i++)
			*vec_push(&t.decisions) = decision_of(&trace->events[i]);
		add_try(s, t);
	}
}

static void add_delay(struct suspects *s, const struct trace *trace, uint32_t first, uint32_t past)
{
	struct try t = {0};

	delay_decisions(trace, first, past, &t.decisions);
	add_try(s, t);
}

static bool do_share_object(const struct event *a, const struct event *b)
{
	for (uint32_t i = 0; i < a->access_len; i++)
		for (uint32_t k = 0; k < b->access_len; k++)
			if (a->accesses[i].object == b->accesses[k].object)
				return true;
	return false;
}

/* The watched read that event `second` may rely on: of its own actor or else of an actor that may
 * have started it; or CONFLICT_NONE. */
static uint32_t find_read(const struct trace *trace, uint32_t second)
{
	const struct event *write = &trace->events[second];
	uint32_t of_another = CONFLICT_NONE;

	for (uint32_t i = second; i-- > 0;) {
		const struct event *read = &trace->events[i];

		if (!(read->watched & EVENT_WATCHED_READ) || !do_share_object(read, write))
			continue;
		if (read->actor == write->actor)
			return i;
		if (of_another == CONFLICT_NONE)
			of_another = i;
	}
	return of_another;
}

static void look_for_tries(struct suspects *s, const struct trace *trace)
{
	for (uint32_t second = 0; second < trace->events_len; second++) {
		uint32_t first;

		if (!(trace->events[second].watched & EVENT_WATCHED_WRITE))
			continue;
		first = find_read(trace, second);
		if (first == CONFLICT_NONE)
			continue;
		add_postponed(s, trace, second);
		for (uint32_t k = 0; k < trace->events_len; k++) {
			const struct event *other = &trace->events[k];

			if (other->actor == trace->events[first].actor ||
			    other->actor == trace->events[second].actor ||
			    !event_conflict(other, &trace->events[first]))
				continue;
			if (k < first)
				add_delay(s, trace, k, first);
			else if (k > second)
				add_delay(s, trace, second, k);
		}
	}
}

/* ---- the strategy ---- */

static bool suspects_next(struct strategy *self, struct schedule *schedule,
			  const struct trace **known)
{
	struct suspects *s = (struct suspects *)self;
	bool was_dpor = s->is_dpor;

	*known = NULL;
	s->is_dpor = false;
	if (s->next < s->tries.len) {
		const struct try *t = &s->tries.items[s->next++];

		*schedule = (struct schedule){
			.decisions = t->decisions.items,
			.decisions_len = (uint32_t)t->decisions.len,
			.relaxed = !t->is_postponing,
			.sleepers = &t->postponed,
			.sleepers_len = t->is_postponing,
			.sleep_from = (uint32_t)t->decisions.len,
			.tail = t->is_postponing ? TAIL_RANDOM : TAIL_FIRST,
			.seed = hash_combine(s->seed, t->seed),
		};
		return true;
	}
	if (s->first_runs < FIRST_RUNS) {
		*schedule = (struct schedule){.tail = s->first_runs ? TAIL_RANDOM : TAIL_FIRST,
					      .seed = rng_next(&s->rng)};
		s->first_runs++;
		return true;
	}
	s->is_dpor = true;
	if (!s->dpor->ops->next(s->dpor, schedule, known))
		return false;
	if (!was_dpor)
		schedule->repeats = 0;
	return true;
}

static uint32_t suspects_ahead(struct strategy *self, struct schedule *schedules, uint32_t max)
{
	struct suspects *s = (struct suspects *)self;

	return s->is_dpor ? s->dpor->ops->ahead(s->dpor, schedules, max) : 0;
}

static void suspects_offer(struct strategy *self, uint32_t i, const struct trace *trace)
{
	struct suspects *s = (struct suspects *)self;

	s->dpor->ops->offer(s->dpor, i, trace);
}

static void suspects_learn(struct strategy *self, const struct trace *trace)
{
	struct suspects *s = (struct suspects *)self;

	if (s->is_dpor)
		s->dpor->ops->learn(s->dpor, trace);
	else
		look_for_tries(s, trace);
}

static void forget_tries(struct suspects *s)
{
	for (size_t i = 0; i < s->tries.len; i++)
		vec_release(&s->tries.items[i].decisions);
	s->tries.len = s->next = 0;
	map_clear(&s->known);
}

static void suspects_restart(struct strategy *self)
{
	struct suspects *s = (struct suspects *)self;

	forget_tries(s);
	s->first_runs = 0;
	s->rng = rng_seeded(s->seed);
	s->dpor->ops->restart(s->dpor);
}

static double suspects_progress(const struct strategy *self)
{
	const struct suspects *s = (const struct suspects *)self;

	return s->dpor->ops->progress(s->dpor);
}

static bool suspects_is_burst(const struct strategy *self)
{
	return !((const struct suspects *)self)->is_dpor;
}

static void suspects_free(struct strategy *self)
{
	struct suspects *s = (struct suspects *)self;

	forget_tries(s);
	vec_release(&s->tries);
	map_release(&s->known);
	s->dpor->ops->free(s->dpor);
	mem_free(s);
}

static const struct strategy_ops suspects_ops = {
	.next = suspects_next,
	.ahead = suspects_ahead,
	.offer = suspects_offer,
	.learn = suspects_learn,
	.restart = suspects_restart,
	.progress = suspects_progress,
	.is_burst = suspects_is_burst,
	.free = suspects_free,
};

struct strategy *strategy_suspects(const struct strategy_params *params)
{
	struct suspects *s = mem_zalloc(sizeof(*s));

	s->base.ops = &suspects_ops;
	s->seed = params->seed;
	s->rng = rng_seeded(params->seed);
	s->dpor = strategy_dpor(params);
	return &s->base;
}

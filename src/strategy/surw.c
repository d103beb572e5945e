/* surw.c: sampling weighted by the events that remain (Zhao and others: Selectively Uniform
 * Concurrency Testing, ASPLOS 2025, in our words).
 *
 * A uniform choice at each decision favours schedules in which the actor with few steps is
 * done early. If actors are chosen with the number of their remaining steps as weight, all
 * orders of those steps are equally likely. As most orders of most steps make no difference,
 * only the steps on one object count in a run, another object each time; sometimes all count.
 * How many each actor takes is estimated from the runs before: the most seen.
 */
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "core/dependence.h"
#include "core/follower.h"
#include "strategy/strategy.h"

enum { ALL_OBJECTS = 0, ALL_EVERY = 4, USES_MAX = 1 << 16 };

/* An actor's steps on an object. */
struct use {
	uint64_t object;
	uint32_t actor;
	uint32_t most; /* in one run */
	uint32_t now;  /* in the run that is counted */
	uint32_t modes, all_modes;
	uint32_t next; /* use of the same object, or USE_NONE */
};

enum { USE_NONE = 0xffffffffu };

struct surw {
	struct strategy base;
	uint64_t seed;
	uint32_t grain;
	struct rng rng;
	VEC(struct use) uses;
	struct map use_index;   /* hash of object and actor -> index */
	struct map first_use;   /* object -> index of its first use */
	VEC(uint64_t) shared;   /* objects on which steps of two actors conflict */
	struct map is_shared;
	VEC(struct guide) guides;
};

static struct use *use_of(struct surw *s, uint64_t object, uint32_t actor)
{
	bool is_new, is_first;
	uint64_t *index = map_put(&s->use_index, hash_combine(object, actor + 1), &is_new);
	uint64_t *first;

	if (!is_new)
		return &s->uses.items[*index];
	*index = s->uses.len;
	first = map_put(&s->first_use, object, &is_first);
	*vec_push(&s->uses) = (struct use){.object = object, .actor = actor,
					   .next = is_first ? USE_NONE : (uint32_t)*first};
	*first = s->uses.len - 1;
	return vec_last(&s->uses);
}

/* ---- learning ---- */

static void count_access(struct surw *s, uint64_t object, uint32_t actor, uint32_t mode)
{
	struct use *use;

	if (s->uses.len >= USES_MAX)
		return;
	use = use_of(s, object, actor);
	use->modes |= 1u << mode;
	if (++use->now > use->most)
		use->most = use->now;
}

static bool conflict(const struct use *a, const struct use *b)
{
	for (uint32_t mode = 0; mode < ACCESS_WORLD; mode++)
		if ((a->modes >> mode & 1) && (access_mode_conflicts(mode) & b->modes))
			return true;
	return false;
}

/* An object becomes interesting when accesses of two actors to it do not commute. */
static void note_shared(struct surw *s, const struct use *use)
{
	const uint64_t *first = map_get(&s->first_use, use->object);

	for (uint32_t at = (uint32_t)*first; at != USE_NONE; at = s->uses.items[at].next) {
		bool is_new;

		if (s->uses.items[at].actor == use->actor || !conflict(use, &s->uses.items[at]))
			continue;
		map_put(&s->is_shared, use->object, &is_new);
		if (is_new)
			*vec_push(&s->shared) = use->object;
		return;
	}
}

static void surw_learn(struct strategy *self, const struct trace *trace)
{
	struct surw *s = (struct surw *)self;

	for (size_t i = 0; i < s->uses.len; i++)
		s->uses.items[i].now = 0;
	for (uint32_t i = 0; i < trace->events_len; i++) {
		const struct event *event = &trace->events[i];

		count_access(s, ALL_OBJECTS, event->actor, ACCESS_READ);
		for (uint32_t a = 0; a < event->access_len; a++)
			if (event->accesses[a].mode != ACCESS_WORLD)
				count_access(s, event->accesses[a].object, event->actor,
					     event->accesses[a].announced);
	}
	for (size_t i = 0; i < s->uses.len; i++) {
		struct use *use = &s->uses.items[i];

		if (use->modes != use->all_modes && use->object != ALL_OBJECTS) {
			use->all_modes = use->modes;
			note_shared(s, use);
		}
	}
}

/* ---- schedules ---- */

static bool surw_next(struct strategy *self, struct schedule *schedule, const struct trace **known)
{
	struct surw *s = (struct surw *)self;
	uint64_t object = ALL_OBJECTS;
	const uint64_t *first;

	*known = NULL;
	*schedule = (struct schedule){.tail = TAIL_SURW, .grain = s->grain,
				      .seed = rng_next(&s->rng), .resumes = true};
	if (s->shared.len && rng_below(&s->rng, ALL_EVERY))
		object = s->shared.items[rng_below(&s->rng, s->shared.len)];
	first = map_get(&s->first_use, object);
	if (!first)
		return true;
	s->guides.len = 0;
	*vec_push(&s->guides) = (struct guide){.object = object, .actor = ACTOR_NONE};
	for (uint32_t at = (uint32_t)*first; at != USE_NONE && s->guides.len < FOLLOWER_GUIDES;
	     at = s->uses.items[at].next)
		if (s->uses.items[at].actor < FOLLOWER_ACTORS)
			*vec_push(&s->guides) = (struct guide){.actor = s->uses.items[at].actor,
							       .number = s->uses.items[at].most};
	schedule->guides = s->guides.items;
	schedule->guides_len = (uint32_t)s->guides.len;
	return true;
}

static void surw_restart(struct strategy *self)
{
	struct surw *s = (struct surw *)self;

	s->rng = rng_seeded(s->seed);
	s->uses.len = s->shared.len = 0;
	map_clear(&s->use_index);
	map_clear(&s->first_use);
	map_clear(&s->is_shared);
}

static double surw_progress(const struct strategy *self)
{
	return -1;
}

static void surw_free(struct strategy *self)
{
	struct surw *s = (struct surw *)self;

	vec_release(&s->uses);
	vec_release(&s->shared);
	vec_release(&s->guides);
	map_release(&s->use_index);
	map_release(&s->first_use);
	map_release(&s->is_shared);
	mem_free(s);
}

static const struct strategy_ops surw_ops = {
	.next = surw_next,
	.learn = surw_learn,
	.restart = surw_restart,
	.progress = surw_progress,
	.free = surw_free,
};

struct strategy *strategy_surw(const struct strategy_params *params)
{
	struct surw *s = mem_zalloc(sizeof(*s));

	s->base.ops = &surw_ops;
	s->seed = params->seed;
	s->grain = params->grain;
	s->rng = rng_seeded(params->seed);
	return &s->base;
}

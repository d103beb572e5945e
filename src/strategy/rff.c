/* rff.c: reads-from steering: "this step shall find the object as that step left it".
 *
 * Most bugs of timing need only a few reads to see certain writes (Wolff and others: Greybox
 * Fuzzing for Concurrency Testing, ASPLOS 2024: such constraints find them, not the
 * feedback). A *place* is a step as the code has it: site, object, mode. The runs so
 * far show which places touch an object; for each place, each conflicting place on
 * the same object, or none ("as it was in the beginning"), can be asked to come last before
 * it. A run asks for one to three such pairs, drawn at random, those asked for or seen less
 * often first; the follower postpones steps to get them (core/follow_guide.h) and lets POS
 * decide the rest. A pair that is not possible is given up in that run, so no analysis of
 * feasibility is needed. A send is a step on the mailbox, a lock on the lock: it works the same
 * for threads and processes.
 */
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "core/dependence.h"
#include "core/follower.h"
#include "strategy/strategy.h"

enum { PLACES_MAX = 1 << 14, PAIRS_MAX = 3, DRAWS = 3, FREE_EVERY = 8 };

#define PLACE_NONE UINT32_MAX

struct place {
	uint64_t object, site;
	uint32_t mode;
	uint32_t actor;  /* the only actor at the place so far; ACTOR_NONE: several */
	uint32_t next;   /* place on the same object, or PLACE_NONE */
};

struct rff {
	struct strategy base;
	uint64_t seed;
	uint32_t grain;
	struct rng rng;
	VEC(struct place) places;
	struct map place_index;   /* hash of the place -> index */
	struct map first_place;   /* object -> index of its newest place */
	VEC(uint32_t) open;       /* places that meet a conflicting one of another actor */
	size_t open_at;           /* places looked at for `open` */
	struct map last;          /* scratch of learn: object -> its last place */
	struct map pairs;         /* hash of the pair -> how often seen or asked for */
	struct guide guides[2 * PAIRS_MAX];
};

static uint64_t pair_key(uint32_t step, uint32_t before)
{
	return hash_combine(step + 1, before);
}

/* ---- learning ---- */

static uint32_t place_of(struct rff *r, const struct event *event, const struct access *access)
{
	uint64_t key = hash_combine(hash_combine(access->object, event->site), access->announced);
	bool is_new, is_first;
	uint64_t *index = map_put(&r->place_index, key, &is_new), *first;

	if (!is_new) {
		struct place *place = &r->places.items[*index];

		if (place->actor != event->actor)
			place->actor = ACTOR_NONE;
		return (uint32_t)*index;
	}
	*index = r->places.len;
	first = map_put(&r->first_place, access->object, &is_first);
	*vec_push(&r->places) = (struct place){
		.object = access->object, .site = event->site, .mode = access->announced,
		.actor = event->actor, .next = is_first ? PLACE_NONE : (uint32_t)*first};
	*first = r->places.len - 1;
	return (uint32_t)*first;
}

static bool meets(const struct place *a, const struct place *b)
{
	return access_modes_conflict(a->mode, b->mode) &&
	       (a->actor == ACTOR_NONE || a->actor != b->actor);
}

/* Finds the places whose order with another place can be chosen. Repeated after each run, because
 * the first place that conflicts may be new. */
static void find_open(struct rff *r)
{
	if (r->open_at == r->places.len)
		return;
	r->open_at = r->places.len;
	r->open.len = 0;
	for (uint32_t i = 0; i < r->places.len; i++) {
		uint32_t at = (uint32_t)*map_get(&r->first_place, r->places.items[i].object);

		while (at != PLACE_NONE && !meets(&r->places.items[i], &r->places.items[at]))
			at = r->places.items[at].next;
		if (at != PLACE_NONE)
			*vec_push(&r->open) = i;
	}
}

/* The access happens: which place was the last to conflict with it? */
static void note_pair(struct rff *r, uint32_t place)
{
	const struct place *step = &r->places.items[place];
	bool is_new;
	uint64_t *last = map_put(&r->last, step->object, &is_new);
	uint32_t before = is_new ? PLACE_NONE : (uint32_t)*last;

	*last = place;
	if (before != PLACE_NONE &&
	    !access_modes_conflict(step->mode, r->places.items[before].mode))
		return;
	++*map_put(&r->pairs, pair_key(place, before), NULL);
}

static void rff_learn(struct strategy *self, const struct trace *trace)
{
	struct rff *r = (struct rff *)self;

	map_clear(&r->last);
	for (uint32_t i = 0; i < trace->events_len; i++) {
		const struct event *event = &trace->events[i];

		for (uint32_t a = 0; a < event->access_len; a++)
			if (event->accesses[a].announced != ACCESS_WORLD &&
			    r->places.len < PLACES_MAX)
				note_pair(r, place_of(r, event, &event->accesses[a]));
	}
	find_open(r);
}

/* ---- schedules ---- */

/* One of the places that conflict with it, or none. */
static uint32_t draw_before(struct rff *r, uint32_t step)
{
	const struct place *place = &r->places.items[step];
	uint32_t chosen = PLACE_NONE, seen = 1;
	uint32_t at = (uint32_t)*map_get(&r->first_place, place->object);

	for (; at != PLACE_NONE; at = r->places.items[at].next)
		if (access_modes_conflict(place->mode, r->places.items[at].mode) &&
		    rng_below(&r->rng, ++seen) == 0)
			chosen = at;
	return chosen;
}

static struct guide guide_of(const struct rff *r, uint32_t place)
{
	const struct place *p = &r->places.items[place];

	return (struct guide){.object = p->object, .site = p->site, .actor = ACTOR_NONE,
			      .number = p->mode};
}

static void ask_for_pair(struct rff *r, struct guide *guides)
{
	uint64_t fewest = UINT64_MAX;
	uint32_t best_step = 0, best_before = PLACE_NONE;

	for (int i = 0; i < DRAWS; i++) {
		uint32_t step = r->open.items[rng_below(&r->rng, r->open.len)];
		uint32_t before = draw_before(r, step);
		const uint64_t *count = map_get(&r->pairs, pair_key(step, before));

		if ((count ? *count : 0) >= fewest)
			continue;
		fewest = count ? *count : 0;
		best_step = step;
		best_before = before;
	}
	++*map_put(&r->pairs, pair_key(best_step, best_before), NULL);
	guides[0] = guide_of(r, best_step);
	guides[1] = best_before == PLACE_NONE ? (struct guide){0} : guide_of(r, best_before);
}

static bool rff_next(struct strategy *self, struct schedule *schedule, const struct trace **known)
{
	struct rff *r = (struct rff *)self;
	uint32_t pairs;

	*known = NULL;
	*schedule = (struct schedule){.tail = TAIL_RFF, .grain = r->grain,
				      .seed = rng_next(&r->rng), .resumes = true};
	if (!r->open.len || !rng_below(&r->rng, FREE_EVERY))
		return true;
	pairs = 1 + (uint32_t)rng_below(&r->rng, PAIRS_MAX);
	for (uint32_t i = 0; i < pairs; i++)
		ask_for_pair(r, &r->guides[2 * i]);
	schedule->guides = r->guides;
	schedule->guides_len = 2 * pairs;
	return true;
}

static void rff_restart(struct strategy *self)
{
	struct rff *r = (struct rff *)self;

	r->rng = rng_seeded(r->seed);
	r->places.len = r->open.len = r->open_at = 0;
	map_clear(&r->place_index);
	map_clear(&r->first_place);
	map_clear(&r->pairs);
}

static double rff_progress(const struct strategy *self)
{
	return -1;
}

static void rff_free(struct strategy *self)
{
	struct rff *r = (struct rff *)self;

	vec_release(&r->places);
	vec_release(&r->open);
	map_release(&r->place_index);
	map_release(&r->first_place);
	map_release(&r->last);
	map_release(&r->pairs);
	mem_free(r);
}

static const struct strategy_ops rff_ops = {
	.next = rff_next,
	.learn = rff_learn,
	.restart = rff_restart,
	.progress = rff_progress,
	.free = rff_free,
};

struct strategy *strategy_rff(const struct strategy_params *params)
{
	struct rff *r = mem_zalloc(sizeof(*r));

	r->base.ops = &rff_ops;
	r->seed = params->seed;
	r->grain = params->grain;
	r->rng = rng_seeded(params->seed);
	return &r->base;
}

/* sample.c: strategies that only choose a tail policy and a seed: random, PCT, POS.
 * They never run dry; the explorer's budget ends them. */
#include "base/mem.h"
#include "base/rng.h"
#include "strategy/strategy.h"

enum { AHEAD_MAX = 64 };

struct sample {
	struct strategy base;
	uint32_t tail;
	uint32_t depth, grain;
	uint32_t longest; /* run so far: PCT's estimate of the number of steps */
	uint64_t seed;
	struct rng seeds;
	struct trace known[AHEAD_MAX]; /* runs made ahead, in the order of their seeds; they are
					* all used up before the next is made */
	uint32_t known_at, known_len;
	bool is_shared;     /* others make the runs that would be made ahead */
	uint64_t left;      /* in another process: schedules that are still asked for */
};

static struct schedule make_schedule(const struct sample *s, uint64_t seed)
{
	return (struct schedule){
		.tail = s->tail,
		.seed = seed,
		.depth = s->depth,
		.steps_estimate = s->longest ? s->longest : 16,
		.grain = s->grain,
		.resumes = true,
	};
}

static bool sample_next(struct strategy *self, struct schedule *schedule,
			const struct trace **known)
{
	struct sample *s = (struct sample *)self;

	*schedule = make_schedule(s, rng_next(&s->seeds));
	s->left -= s->left > 0 && s->left < UINT64_MAX;
	*known = s->known_at < s->known_len ? &s->known[s->known_at++] : NULL;
	return true;
}

static void forget_known(struct sample *s)
{
	s->known_at = s->known_len = 0;
}

/* The next seeds; not while runs made ahead are still to be used up. PCT's estimate of
 * the length must not change any more, or runs made ahead would differ from others. */
static uint32_t sample_ahead(struct strategy *self, struct schedule *schedules, uint32_t max)
{
	struct sample *s = (struct sample *)self;
	struct rng seeds = s->seeds;
	uint32_t len = 0;

	if (s->known_at < s->known_len || s->tail == TAIL_PCT || s->is_shared)
		return 0;
	forget_known(s);
	if (max > s->left)
		max = (uint32_t)s->left;
	for (; len < max && len < AHEAD_MAX; len++)
		schedules[len] = make_schedule(s, rng_next(&seeds));
	return len;
}

static void sample_offer(struct strategy *self, uint32_t i, const struct trace *trace)
{
	struct sample *s = (struct sample *)self;

	if (i == s->known_len)
		s->known[s->known_len++] = *trace;
}

static void sample_learn(struct strategy *self, const struct trace *trace)
{
	struct sample *s = (struct sample *)self;

	if (trace->events_len > s->longest)
		s->longest = trace->events_len;
}

static void sample_restart(struct strategy *self)
{
	struct sample *s = (struct sample *)self;

	s->seeds = rng_seeded(s->seed);
	s->longest = 0;
	s->is_shared = false;
	s->left = UINT64_MAX;
	forget_known(s);
}

static uint64_t state_of(const struct sample *s)
{
	return s->tail == TAIL_PCT ? s->longest : 0;
}

static void sample_share(struct strategy *self, uint64_t ahead, struct strategy_share *share)
{
	struct sample *s = (struct sample *)self;

	s->is_shared = s->left == UINT64_MAX; /* not in another process */
	*share = (struct strategy_share){rng_after(s->seeds, ahead).state, state_of(s)};
}

static void sample_load(struct strategy *self, const struct strategy_share *share, uint64_t runs)
{
	struct sample *s = (struct sample *)self;

	s->seeds.state = share->seeds;
	s->longest = (uint32_t)share->longest;
	s->is_shared = false;
	s->left = runs;
	forget_known(s);
}

static bool sample_skip(struct strategy *self, const struct strategy_share *from,
			const struct strategy_share *to)
{
	struct sample *s = (struct sample *)self;

	if (from->seeds != s->seeds.state || from->longest != state_of(s))
		return false;
	s->seeds.state = to->seeds;
	if (to->longest > s->longest)
		s->longest = (uint32_t)to->longest;
	forget_known(s);
	return true;
}

static void sample_save(const struct strategy *self, struct strbuf *out)
{
	const struct sample *s = (const struct sample *)self;

	bytes_put_u64(out, s->seeds.state);
	bytes_put_u32(out, s->longest);
}

static bool sample_load_saved(struct strategy *self, struct bytes_in *in)
{
	struct sample *s = (struct sample *)self;

	s->seeds.state = bytes_u64(in);
	s->longest = bytes_u32(in);
	return !in->is_short;
}

static double sample_progress(const struct strategy *self)
{
	return -1;
}

static void sample_free(struct strategy *self)
{
	mem_free(self);
}

static const struct strategy_ops sample_ops = {
	.next = sample_next,
	.ahead = sample_ahead,
	.offer = sample_offer,
	.any_ahead = true,
	.learn = sample_learn,
	.restart = sample_restart,
	.progress = sample_progress,
	.share = sample_share,
	.load = sample_load,
	.skip = sample_skip,
	.save = sample_save,
	.restore = sample_load_saved,
	.free = sample_free,
};

static struct strategy *create(const struct strategy_params *params, enum tail_policy tail)
{
	struct sample *s = mem_zalloc(sizeof(*s));

	s->base.ops = &sample_ops;
	s->tail = tail;
	s->depth = params->depth;
	s->grain = params->grain;
	s->seed = params->seed;
	s->seeds = rng_seeded(params->seed);
	s->left = UINT64_MAX;
	return &s->base;
}

struct strategy *strategy_random(const struct strategy_params *params)
{
	return create(params, TAIL_RANDOM);
}

struct strategy *strategy_pct(const struct strategy_params *params)
{
	return create(params, TAIL_PCT);
}

struct strategy *strategy_pos(const struct strategy_params *params)
{
	return create(params, TAIL_POS);
}

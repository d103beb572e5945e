/* sample.c: strategies that only choose a tail policy and a seed: random, PCT, POS.
 * They never run dry; the explorer's budget ends them. */
#include "base/mem.h"
#include "base/rng.h"
#include "strategy/strategy.h"

struct sample {
	struct strategy base;
	uint32_t tail;
	uint32_t depth;
	uint32_t longest; /* run so far: PCT's estimate of the number of steps */
	uint64_t seed;
	struct rng seeds;
};

static bool sample_next(struct strategy *self, struct schedule *schedule)
{
	struct sample *s = (struct sample *)self;

	*schedule = (struct schedule){
		.tail = s->tail,
		.seed = rng_next(&s->seeds),
		.depth = s->depth,
		.steps_estimate = s->longest ? s->longest : 16,
	};
	return true;
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
	.learn = sample_learn,
	.restart = sample_restart,
	.progress = sample_progress,
	.free = sample_free,
};

static struct strategy *create(const struct strategy_params *params, enum tail_policy tail)
{
	struct sample *s = mem_zalloc(sizeof(*s));

	s->base.ops = &sample_ops;
	s->tail = tail;
	s->depth = params->depth;
	s->seed = params->seed;
	s->seeds = rng_seeded(params->seed);
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

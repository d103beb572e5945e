/* auto.c: the default. A short burst of sampling finds the shallow bugs that a depth
 * first search may reach late; then dpor runs to the end or to the budget. While dpor
 * has not finished, every second run is still a sample, up to a limit: in a space that is
 * too large to exhaust, depth first order is the worst order. If dpor's estimate of all its runs
 * hardly grew while it made as many runs again, its end is near, and samples become rare.
 *
 * Each sampler has programs on which it is the only good one, so they take turns. The
 * samplers that only collect the steps of a program (surw, rff) learn from all sampled runs.
 */
#include "base/mem.h"
#include "strategy/strategy.h"

enum { SAMPLERS = 6, STAGES = SAMPLERS + 1, MIXED_RUNS = 5000 };
enum { ESTIMATE_FROM = 32, RARELY = 8 };

#define STEADY_GROWTH 1.5 /* of the estimate, where it is trusted */

/* In the order of their turns; dpor is after them. */
static const struct {
	struct strategy *(*create)(const struct strategy_params *params);
	bool learns_all;
} samplers[SAMPLERS] = {
	{strategy_random, false}, {strategy_rff, true}, {strategy_pct, false},
	{strategy_surw, true}, {strategy_pos, false}, {strategy_procrastinate, false},
};

struct auto_strategy {
	struct strategy base;
	struct strategy *stages[STAGES]; /* the samplers, then dpor */
	uint32_t burst;                  /* runs of each sampler */
	uint32_t runs;                   /* of samplers so far */
	bool sample_next;                /* it is the samplers' turn */
	uint32_t dpor_runs;              /* since the search began anew */
	uint64_t estimate;               /* of all of them, when half as many or fewer were made */
	bool is_near;                    /* that is not far from its end */
	const struct strategy *before;   /* the stage of the run before */
};

static struct strategy *current(const struct auto_strategy *a)
{
	if (a->runs < a->burst * SAMPLERS || a->sample_next)
		return a->stages[a->runs % SAMPLERS];
	return a->stages[SAMPLERS];
}

static bool auto_next(struct strategy *self, struct schedule *schedule,
		      const struct trace **known)
{
	struct auto_strategy *a = (struct auto_strategy *)self;
	struct strategy *stage = current(a);
	bool is_same = stage == a->before;

	a->before = stage;
	if (!stage->ops->next(stage, schedule, known))
		return false;
	if (!is_same)
		schedule->repeats = 0;
	return true;
}

static uint32_t auto_ahead(struct strategy *self, struct schedule *schedules, uint32_t max)
{
	struct auto_strategy *a = (struct auto_strategy *)self;
	struct strategy *stage = current(a);

	return stage == a->stages[SAMPLERS] ? stage->ops->ahead(stage, schedules, max) : 0;
}

static void auto_offer(struct strategy *self, uint32_t i, const struct trace *trace)
{
	struct strategy *stage = current((struct auto_strategy *)self);

	stage->ops->offer(stage, i, trace);
}

static bool auto_is_burst(const struct strategy *self)
{
	const struct auto_strategy *a = (const struct auto_strategy *)self;

	return current(a) != a->stages[SAMPLERS];
}

/* Looks at dpor's progress whenever it has made twice as many runs as at the last look. */
static void judge_progress(struct auto_strategy *a)
{
	uint64_t estimate;
	double done;

	a->dpor_runs++;
	if (a->dpor_runs < ESTIMATE_FROM || a->dpor_runs & (a->dpor_runs - 1))
		return;
	done = a->stages[SAMPLERS]->ops->progress(a->stages[SAMPLERS]);
	estimate = done > 0 ? (uint64_t)(a->dpor_runs / done) : 0;
	a->is_near = estimate && (double)estimate < (double)a->estimate * STEADY_GROWTH;
	a->estimate = estimate;
}

static bool is_samplers_turn(const struct auto_strategy *a)
{
	return a->burst && a->runs < MIXED_RUNS && !(a->is_near && a->dpor_runs % RARELY);
}

static void auto_learn(struct strategy *self, const struct trace *trace)
{
	struct auto_strategy *a = (struct auto_strategy *)self;
	struct strategy *stage = current(a);

	stage->ops->learn(stage, trace);
	if (stage != a->stages[SAMPLERS]) {
		for (size_t i = 0; i < SAMPLERS; i++)
			if (samplers[i].learns_all && a->stages[i] != stage)
				a->stages[i]->ops->learn(a->stages[i], trace);
		a->runs++;
		a->sample_next = false;
	} else {
		judge_progress(a);
		a->sample_next = is_samplers_turn(a);
	}
}

static void auto_restart(struct strategy *self)
{
	struct auto_strategy *a = (struct auto_strategy *)self;

	for (size_t i = 0; i < STAGES; i++)
		a->stages[i]->ops->restart(a->stages[i]);
	a->sample_next = a->is_near = false;
	a->dpor_runs = 0;
	a->estimate = 0;
}

static double auto_progress(const struct strategy *self)
{
	const struct auto_strategy *a = (const struct auto_strategy *)self;

	return a->stages[SAMPLERS]->ops->progress(a->stages[SAMPLERS]);
}

/* Samplers that learn from runs begin anew in the search that goes on. */
static void auto_save(const struct strategy *self, struct strbuf *out)
{
	const struct auto_strategy *a = (const struct auto_strategy *)self;

	bytes_put_u32(out, a->runs);
	bytes_put_u8(out, a->sample_next);
	bytes_put_u32(out, a->dpor_runs);
	bytes_put_u64(out, a->estimate);
	bytes_put_u8(out, a->is_near);
	for (size_t i = 0; i < STAGES; i++)
		if (a->stages[i]->ops->save)
			a->stages[i]->ops->save(a->stages[i], out);
}

static bool auto_load(struct strategy *self, struct bytes_in *in)
{
	struct auto_strategy *a = (struct auto_strategy *)self;
	bool ok = true;

	a->runs = bytes_u32(in);
	a->sample_next = bytes_u8(in);
	a->dpor_runs = bytes_u32(in);
	a->estimate = bytes_u64(in);
	a->is_near = bytes_u8(in);
	for (size_t i = 0; i < STAGES && ok; i++)
		if (a->stages[i]->ops->restore)
			ok = a->stages[i]->ops->restore(a->stages[i], in);
	return ok && !in->is_short;
}

static struct strategy *auto_parts(struct strategy *self)
{
	return ((struct auto_strategy *)self)->stages[SAMPLERS];
}

static void auto_free(struct strategy *self)
{
	struct auto_strategy *a = (struct auto_strategy *)self;

	for (size_t i = 0; i < STAGES; i++)
		a->stages[i]->ops->free(a->stages[i]);
	mem_free(a);
}

static const struct strategy_ops auto_ops = {
	.next = auto_next,
	.ahead = auto_ahead,
	.offer = auto_offer,
	.learn = auto_learn,
	.restart = auto_restart,
	.progress = auto_progress,
	.is_burst = auto_is_burst,
	.parts = auto_parts,
	.save = auto_save,
	.restore = auto_load,
	.free = auto_free,
};

struct strategy *strategy_auto(const struct strategy_params *params)
{
	struct auto_strategy *a = mem_zalloc(sizeof(*a));

	a->base.ops = &auto_ops;
	a->burst = params->burst;
	for (size_t i = 0; i < SAMPLERS; i++)
		a->stages[i] = samplers[i].create(params);
	a->stages[SAMPLERS] = strategy_dpor(params);
	return &a->base;
}

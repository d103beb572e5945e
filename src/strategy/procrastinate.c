/* procrastinate.c: put off one decision until the last that conflicts with it has been taken
 * (Arts, Hughes, Norell, Smallbone, Svensson: Accelerating Race Condition Detection through
 * Procrastination, Erlang 2011, section 5). The four steps:
 *
 *   1  run at random                                        depth 0
 *   2  for each decision find later conflicting ones        start_level
 *   3  try to move each past the last of them, by a relaxed run, and note the events that it
 *      was really moved past: the feasible procrastinations  probes
 *   4  run each feasible procrastination                     pairs
 *
 * Higher order: the runs of step 4 are schedules themselves, to which steps 2 to 4 are
 * applied again, down to `levels`; at most `limits[n]` feasible ones, chosen
 * at random, are tried at level n. When all is done it begins again with another random run.
 *
 * A probe that got past the last conflicting decision is that procrastination; on the lowest
 * level, where nothing is built on its run, it is not made a second time.
 */
#include "base/mem.h"
#include "base/rng.h"
#include "strategy/conflicts.h"
#include "strategy/strategy.h"

struct pair {
	uint32_t first, second;
};

VEC_TYPE(pair_vec, struct pair);

struct level {
	struct trace *base; /* owned: the run whose decisions are put off */
	struct conflicts conflicts;
	struct pair_vec probes, pairs;
	size_t probe_at, pair_at;
};

struct procrastinate {
	struct strategy base;
	struct strategy_params params;
	uint32_t levels_len;
	struct level levels[STRATEGY_LEVELS];
	uint32_t depth; /* levels in use; 0: the next run is a random one */
	struct rng rng;
	struct decision_vec decisions;
	struct index_vec indices;
};

static struct level *top(struct procrastinate *p)
{
	return &p->levels[p->depth - 1];
}

static uint32_t limit_of(const struct procrastinate *p, uint32_t depth)
{
	uint32_t limit = p->params.limits[depth - 1];

	return limit ? limit : STRATEGY_DEFAULT_LIMIT;
}

static void shuffle(struct rng *rng, struct pair *pairs, size_t len)
{
	for (size_t i = len; i > 1; i--) {
		size_t j = rng_below(rng, i);
		struct pair kept = pairs[j];

		pairs[j] = pairs[i - 1];
		pairs[i - 1] = kept;
	}
}

/* Brings the pairs that the caller prefers to the front. */
static void prefer(const struct procrastinate *p, struct level *level)
{
	size_t front = 0;

	if (!p->params.prefers)
		return;
	for (size_t i = 0; i < level->probes.len; i++) {
		struct pair pair = level->probes.items[i];

		if (!p->params.prefers(p->params.prefers_ctx, &level->base->events[pair.first],
				       &level->base->events[pair.second]))
			continue;
		level->probes.items[i] = level->probes.items[front];
		level->probes.items[front++] = pair;
	}
}

/* Step 2, on a run that was just made. */
static void start_level(struct procrastinate *p, const struct trace *trace)
{
	struct level *level = &p->levels[p->depth];

	level->base = trace_copy(trace);
	level->probes.len = level->pairs.len = level->probe_at = level->pair_at = 0;
	conflicts_build(&level->conflicts, level->base, p->params.grain);
	for (uint32_t i = 0; i < trace->events_len; i++) {
		uint32_t last = conflicts_last(&level->conflicts, i);

		if (last != CONFLICT_NONE)
			*vec_push(&level->probes) = (struct pair){i, last};
	}
	shuffle(&p->rng, level->probes.items, level->probes.len);
	prefer(p, level);
	p->depth++;
}

static void leave_level(struct procrastinate *p)
{
	struct level *level = top(p);

	mem_free(level->base);
	level->base = NULL;
	p->depth--;
}

static bool procrastinate_next(struct strategy *self, struct schedule *schedule,
			       const struct trace **known)
{
	struct procrastinate *p = (struct procrastinate *)self;

	*known = NULL;
	*schedule = (struct schedule){.tail = TAIL_RANDOM, .seed = rng_next(&p->rng),
				      .grain = p->params.grain, .resumes = true};
	while (p->depth) {
		const struct level *level = top(p);
		const struct pair *pair;

		if (level->probe_at == level->probes.len && level->pair_at == level->pairs.len) {
			leave_level(p);
			continue;
		}
		pair = level->probe_at < level->probes.len ? &level->probes.items[level->probe_at]
							    : &level->pairs.items[level->pair_at];
		delay_decisions(level->base, pair->first, pair->second, &p->decisions);
		schedule->decisions = p->decisions.items;
		schedule->decisions_len = (uint32_t)p->decisions.len;
		schedule->relaxed = true;
		break;
	}
	return true;
}

/* After step 3: which of the feasible ones are tried. */
static void choose_pairs(struct procrastinate *p, struct level *level)
{
	shuffle(&p->rng, level->pairs.items, level->pairs.len);
	if (level->pairs.len > limit_of(p, p->depth))
		level->pairs.len = limit_of(p, p->depth);
}

static void learn_probe(struct procrastinate *p, const struct trace *trace)
{
	struct level *level = top(p);
	struct pair probe = level->probes.items[level->probe_at++];
	bool is_lowest = p->depth == p->levels_len;

	delay_passed(&level->conflicts, probe.first, trace, &p->indices);
	for (size_t i = 0; i < p->indices.len; i++)
		if (!is_lowest || p->indices.items[i] != probe.second)
			*vec_push(&level->pairs) = (struct pair){probe.first, p->indices.items[i]};
	if (level->probe_at == level->probes.len)
		choose_pairs(p, level);
}

static void procrastinate_learn(struct strategy *self, const struct trace *trace)
{
	struct procrastinate *p = (struct procrastinate *)self;

	if (!p->depth) {
		start_level(p, trace);
	} else if (top(p)->probe_at < top(p)->probes.len) {
		learn_probe(p, trace);
	} else {
		top(p)->pair_at++;
		if (p->depth < p->levels_len)
			start_level(p, trace);
	}
}

static void procrastinate_restart(struct strategy *self)
{
	struct procrastinate *p = (struct procrastinate *)self;

	while (p->depth)
		leave_level(p);
	p->rng = rng_seeded(p->params.seed);
}

static double procrastinate_progress(const struct strategy *self)
{
	return -1;
}

static void procrastinate_free(struct strategy *self)
{
	struct procrastinate *p = (struct procrastinate *)self;

	while (p->depth)
		leave_level(p);
	for (uint32_t i = 0; i < p->levels_len; i++) {
		conflicts_release(&p->levels[i].conflicts);
		vec_release(&p->levels[i].probes);
		vec_release(&p->levels[i].pairs);
	}
	vec_release(&p->decisions);
	vec_release(&p->indices);
	mem_free(p);
}

static const struct strategy_ops procrastinate_ops = {
	.next = procrastinate_next,
	.learn = procrastinate_learn,
	.restart = procrastinate_restart,
	.progress = procrastinate_progress,
	.free = procrastinate_free,
};

struct strategy *strategy_procrastinate(const struct strategy_params *params)
{
	struct procrastinate *p = mem_zalloc(sizeof(*p));

	p->base.ops = &procrastinate_ops;
	p->params = *params;
	p->levels_len = params->levels ? params->levels : 1;
	p->rng = rng_seeded(params->seed);
	return &p->base;
}

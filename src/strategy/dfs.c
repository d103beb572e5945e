/* dfs.c: every interleaving, depth first (Concuerror paper, Algorithm 1).
 *
 * There is no reduction: the other strategies are tested against this one. A level is one
 * decision with the set of enabled actors and the set of actors that were tried. */
#include <string.h>

#include "base/bitset.h"
#include "base/mem.h"
#include "base/vec.h"
#include "strategy/strategy.h"

struct dfs {
	struct strategy base;
	VEC(struct decision) decisions; /* one per level */
	VEC(uint64_t) sets;             /* per level: enabled, then tried; `words` words each */
	uint32_t words;
	bool started;
	bool finished;
};

static uint64_t *enabled_at(struct dfs *d, size_t level)
{
	return d->sets.items + level * 2 * d->words;
}

static uint64_t *tried_at(struct dfs *d, size_t level)
{
	return enabled_at(d, level) + d->words;
}

/* Chooses an actor at the deepest level that has one left. */
static bool choose_next(struct dfs *d)
{
	while (d->decisions.len) {
		size_t level = d->decisions.len - 1;

		bitset_foreach(actor, enabled_at(d, level), d->words) {
			if (bitset_has(tried_at(d, level), actor))
				continue;
			bitset_add(tried_at(d, level), actor);
			d->decisions.items[level] = (struct decision){
				.actor = (uint32_t)actor, .kind = DECISION_ANY};
			return true;
		}
		d->decisions.len--;
		d->sets.len -= 2 * d->words;
	}
	return false;
}

static bool dfs_next(struct strategy *self, struct schedule *schedule,
		      const struct trace **known)
{
	struct dfs *d = (struct dfs *)self;

	*schedule = (struct schedule){.tail = TAIL_FIRST};
	*known = NULL;
	if (d->finished)
		return false;
	if (d->started && !choose_next(d)) {
		d->finished = true;
		return false;
	}
	d->started = true;
	schedule->decisions = d->decisions.items;
	schedule->decisions_len = (uint32_t)d->decisions.len;
	return true;
}

static void dfs_learn(struct strategy *self, const struct trace *trace)
{
	struct dfs *d = (struct dfs *)self;

	d->words = trace->enabled_words;
	for (uint32_t i = (uint32_t)d->decisions.len; i < trace->events_len; i++) {
		size_t level = d->decisions.len;

		*vec_push(&d->decisions) = decision_of(&trace->events[i]);
		vec_reserve(&d->sets, (level + 1) * 2 * d->words);
		d->sets.len = (level + 1) * 2 * d->words;
		memcpy(enabled_at(d, level), trace_enabled(trace, i),
		       d->words * sizeof(uint64_t));
		memset(tried_at(d, level), 0, d->words * sizeof(uint64_t));
		bitset_add(tried_at(d, level), trace->events[i].actor);
	}
}

static void dfs_restart(struct strategy *self)
{
	struct dfs *d = (struct dfs *)self;

	d->decisions.len = d->sets.len = 0;
	d->started = d->finished = false;
}

static double dfs_progress(const struct strategy *self)
{
	struct dfs *d = (struct dfs *)self;
	double share = 1, done = 0;

	if (d->finished)
		return 1;
	for (size_t level = 0; level < d->decisions.len; level++) {
		double all = (double)bitset_count(enabled_at(d, level), d->words);
		double tried = (double)bitset_count(tried_at(d, level), d->words) - 1;

		if (all < 1)
			continue;
		done += share * tried / all;
		share /= all;
	}
	return done;
}

static void dfs_free(struct strategy *self)
{
	struct dfs *d = (struct dfs *)self;

	vec_release(&d->decisions);
	vec_release(&d->sets);
	mem_free(d);
}

static const struct strategy_ops dfs_ops = {
	.next = dfs_next,
	.learn = dfs_learn,
	.restart = dfs_restart,
	.progress = dfs_progress,
	.free = dfs_free,
};

struct strategy *strategy_dfs(const struct strategy_params *params)
{
	struct dfs *d = mem_zalloc(sizeof(*d));

	d->base.ops = &dfs_ops;
	return &d->base;
}

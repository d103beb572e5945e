/* dpor.c: optimal dynamic partial order reduction with wake-up trees.
 *
 * After Abdulla, Aronis, Jonsson and Sagonas, "Optimal Dynamic Partial Order
 * Reduction", POPL 2014, Algorithm 2, turned from a recursion into a stack so that
 * the explorer keeps the loop. A level of the stack is one event of the current
 * execution E, with the wake-up tree and the sleep set of the node before it.
 *
 *   learn()  the run E is complete: for each race e, f in it, v = notdep(e, E).f is
 *            inserted at the node before e unless a sleeper there is a weak initial
 *            of v (lines 5 to 11 of the algorithm);
 *   next()   the deepest node with another branch: the event explored last goes to
 *            sleep, its branch goes, the next branch is followed to its leaf
 *            (lines 15 to 22).
 */
#include <string.h>

#include "base/bug.h"
#include "base/mem.h"
#include "base/vec.h"
#include "core/order.h"
#include "strategy/strategy.h"
#include "strategy/wakeup.h"

struct level {
	struct event event;    /* the step taken from this node */
	struct wakeup *tree;   /* branches left, the first is the one being explored */
	uint32_t sleep_start;  /* its sleep set is sleepers[sleep_start .. start of the next) */
	uint32_t sleep_len;
	uint32_t explored;     /* branches done */
	struct trace *ahead;   /* owned: the run of the second branch, made ahead; or NULL */
	bool impossible;       /* the branch being explored could not be followed */
};

enum { AHEAD_MAX = 16 };

struct dpor {
	struct strategy base;
	VEC(struct level) levels;
	VEC(struct event) sleepers; /* the sleep sets of all levels, one after the other */
	VEC(struct decision) decisions;
	VEC(struct event) sequence;
	VEC(struct decision) ahead_decisions;
	VEC(struct event) ahead_sleepers;
	uint32_t ahead_levels[AHEAD_MAX]; /* which level each schedule handed out ahead is of */
	struct trace *known; /* owned: the run of the schedule handed out last, if made ahead */
	struct wakeup_pool pool;
	struct order order;
	uint32_t branch; /* the level whose choice the last schedule changed */
	uint64_t tail_seed;
	bool started;
	bool finished;
};

static struct dpor *dpor_of(struct strategy *self)
{
	return (struct dpor *)self;
}

/* The sleep set after the step of `level` was taken: those independent of it. */
static void inherit_sleep(struct dpor *d, const struct level *level, struct level *child)
{
	child->sleep_start = (uint32_t)d->sleepers.len;
	child->sleep_len = 0;
	for (uint32_t i = 0; i < level->sleep_len; i++) {
		struct event sleeper = d->sleepers.items[level->sleep_start + i];

		if (event_dependent(&sleeper, &level->event) ||
		    event_dependent(&level->event, &sleeper))
			continue;
		*vec_push(&d->sleepers) = sleeper;
		child->sleep_len++;
	}
}

static void push_level(struct dpor *d, struct wakeup *tree, const struct event *event)
{
	struct level level = {.event = *event, .tree = tree};

	if (d->levels.len)
		inherit_sleep(d, vec_last(&d->levels), &level);
	*vec_push(&d->levels) = level;
}

static void pop_level(struct dpor *d)
{
	struct level *level = vec_last(&d->levels);

	while (level->tree)
		wakeup_remove_first(&d->pool, &level->tree);
	mem_free(level->ahead);
	d->sleepers.len = level->sleep_start;
	d->levels.len--;
}

/* The branch explored last is done: its event sleeps from now on. False: no other. */
static bool advance_level(struct dpor *d)
{
	struct level *level = vec_last(&d->levels);

	if (!level->impossible) {
		*vec_push(&d->sleepers) = level->event;
		level->sleep_len++;
	}
	level->impossible = false;
	level->explored++;
	wakeup_remove_first(&d->pool, &level->tree);
	if (!level->tree)
		return false;
	level->event = level->tree->event;
	return true;
}

static bool find_branch(struct dpor *d)
{
	while (d->levels.len && !advance_level(d))
		pop_level(d);
	return d->levels.len > 0;
}

/* Down the first branch to its leaf; each node takes over the subtree as its tree. */
static void follow_branch(struct dpor *d)
{
	struct wakeup *node = vec_last(&d->levels)->tree;

	while (node->children) {
		struct wakeup *subtree = node->children;

		node->children = NULL;
		push_level(d, subtree, &subtree->event);
		node = subtree;
	}
}

static bool dpor_next(struct strategy *self, struct schedule *schedule,
		      const struct trace **known)
{
	struct dpor *d = dpor_of(self);
	const struct level *level;

	*schedule = (struct schedule){.tail = d->tail_seed ? TAIL_RANDOM : TAIL_FIRST,
				      .seed = d->tail_seed};
	*known = NULL;
	mem_free(d->known);
	d->known = NULL;
	if (d->finished)
		return false;
	if (!d->started) {
		d->started = true;
		d->branch = 0;
		return true;
	}
	if (!find_branch(d)) {
		d->finished = true;
		return false;
	}
	d->branch = (uint32_t)d->levels.len - 1;
	d->known = vec_last(&d->levels)->ahead;
	vec_last(&d->levels)->ahead = NULL;
	follow_branch(d);
	*known = d->known;
	d->decisions.len = 0;
	for (size_t i = 0; i < d->levels.len; i++)
		*vec_push(&d->decisions) = decision_of(&d->levels.items[i].event);
	level = &d->levels.items[d->branch];
	schedule->decisions = d->decisions.items;
	schedule->decisions_len = (uint32_t)d->decisions.len;
	schedule->sleep_from = d->branch;
	schedule->sleepers = d->sleepers.items + level->sleep_start;
	schedule->sleepers_len = level->sleep_len;
	return true;
}

/* ---- runs made ahead ----
 *
 * When a level has a second branch, that branch will be taken as soon as everything
 * under the first is done: what is found until then is added behind it, or below it
 * where it is a leaf already and covers it. So its run is the same now as then: the
 * prefix, the branch to its leaf, and asleep are the sleepers of the level and the
 * event of the first branch. Making it now saves a handover to the target. */

static bool add_ahead(struct dpor *d, uint32_t at, struct schedule *schedule)
{
	const struct level *level = &d->levels.items[at];
	const struct wakeup *node = level->tree ? level->tree->next : NULL;
	size_t decisions = d->ahead_decisions.len, sleepers = d->ahead_sleepers.len;

	if (!node || level->ahead)
		return false;
	for (uint32_t i = 0; i < at; i++)
		*vec_push(&d->ahead_decisions) = decision_of(&d->levels.items[i].event);
	for (; node; node = node->children)
		*vec_push(&d->ahead_decisions) = decision_of(&node->event);
	vec_append(&d->ahead_sleepers, d->sleepers.items + level->sleep_start, level->sleep_len);
	*vec_push(&d->ahead_sleepers) = level->event;
	*schedule = (struct schedule){
		.tail = d->tail_seed ? TAIL_RANDOM : TAIL_FIRST,
		.seed = d->tail_seed,
		.decisions_len = (uint32_t)(d->ahead_decisions.len - decisions),
		.sleepers_len = (uint32_t)(d->ahead_sleepers.len - sleepers),
		.sleep_from = at,
	};
	return true;
}

/* The deepest levels first: their branches are taken next. Arrays are shared by all
 * schedules and may move while they grow, so pointers are set at the end. */
static uint32_t dpor_ahead(struct strategy *self, struct schedule *schedules, uint32_t max)
{
	struct dpor *d = dpor_of(self);
	const struct decision *decisions;
	const struct event *sleepers;
	uint32_t len = 0;

	d->ahead_decisions.len = d->ahead_sleepers.len = 0;
	for (uint32_t at = d->branch; at-- > 0 && len < max && len < AHEAD_MAX;)
		if (add_ahead(d, at, &schedules[len]))
			d->ahead_levels[len++] = at;
	decisions = d->ahead_decisions.items;
	sleepers = d->ahead_sleepers.items;
	for (uint32_t i = 0; i < len; i++) {
		schedules[i].decisions = decisions;
		schedules[i].sleepers = sleepers;
		decisions += schedules[i].decisions_len;
		sleepers += schedules[i].sleepers_len;
	}
	return len;
}

static void dpor_offer(struct strategy *self, uint32_t i, const struct trace *trace)
{
	struct dpor *d = dpor_of(self);

	d->levels.items[d->ahead_levels[i]].ahead = trace_copy(trace);
}

/* The steps from the branch on have now really been taken: what they did may differ
 * from what was expected (the reversed step read another value), so sleep sets below
 * the branch are made anew; levels beyond the schedule are added. */
static void take_over(struct dpor *d, const struct trace *trace)
{
	size_t known = d->levels.len;

	if (known)
		d->sleepers.len = d->levels.items[d->branch].sleep_start +
				  d->levels.items[d->branch].sleep_len;
	for (size_t i = d->branch; i < known && i < trace->events_len; i++) {
		d->levels.items[i].event = trace->events[i];
		if (i > d->branch)
			inherit_sleep(d, &d->levels.items[i - 1], &d->levels.items[i]);
	}
	for (size_t i = known; i < trace->events_len; i++)
		push_level(d, wakeup_leaf(&d->pool, &trace->events[i]), &trace->events[i]);
}

/* v = the events after e that do not depend on it, up to f, then f. The former will do
 * what they did; f, without e before it, may do all that it announced. */
static void build_reversal(struct dpor *d, const struct trace *trace, const struct order_race *race)
{
	uint32_t place = order_place(&d->order, race->second);

	d->sequence.len = 0;
	for (uint32_t i = race->first + 1; i < place; i++)
		if (!order_before(&d->order, race->first, i))
			*vec_push(&d->sequence) = trace->events[i];
	*vec_push(&d->sequence) = event_as_announced(order_event(&d->order, race->second));
}

static bool is_covered_by_sleep(const struct dpor *d, const struct level *level)
{
	size_t at;

	for (uint32_t i = 0; i < level->sleep_len; i++)
		if (wakeup_is_weak_initial(&d->sleepers.items[level->sleep_start + i],
					   d->sequence.items, d->sequence.len, &at))
			return true;
	return false;
}

static void reverse_races(struct dpor *d, const struct trace *trace)
{
	order_build(&d->order, trace, d->branch);
	for (size_t r = 0; r < d->order.races.len; r++) {
		const struct order_race *race = &d->order.races.items[r];
		struct level *level = &d->levels.items[race->first];

		build_reversal(d, trace, race);
		if (!is_covered_by_sleep(d, level))
			wakeup_insert(&d->pool, &level->tree, d->sequence.items,
				      d->sequence.len);
	}
}

/* The prefix was followed, the reversed step itself was not possible: the pair cannot be
 * swapped after all (a timer that another kept from firing). Nothing is lost by it. */
static bool is_impossible_reversal(const struct dpor *d, const struct trace *trace)
{
	return trace->end == END_DIVERGED && trace->events_len < d->levels.len;
}

static void dpor_learn(struct strategy *self, const struct trace *trace)
{
	struct dpor *d = dpor_of(self);

	if (is_impossible_reversal(d, trace)) {
		while (d->levels.len > trace->events_len + 1)
			pop_level(d); /* what was to follow it is not possible either */
		vec_last(&d->levels)->impossible = true;
		return;
	}
	take_over(d, trace);
	while (d->levels.len > trace->events_len)
		pop_level(d); /* the run ended inside its schedule: diverged, or lost */
	reverse_races(d, trace);
}

static void dpor_restart(struct strategy *self)
{
	struct dpor *d = dpor_of(self);

	while (d->levels.len)
		pop_level(d);
	d->sleepers.len = 0;
	d->started = d->finished = false;
}

/* Knuth's estimate: the share of the tree that lies to the left of the current path,
 * taking the branches known now for all there are. */
static double dpor_progress(const struct strategy *self)
{
	const struct dpor *d = (const struct dpor *)self;
	double share = 1, done = 0;

	if (d->finished)
		return 1;
	for (size_t i = 0; i < d->levels.len; i++) {
		const struct level *level = &d->levels.items[i];
		double branches = level->explored;

		for (const struct wakeup *w = level->tree; w; w = w->next)
			branches++;
		if (branches < 1)
			continue;
		done += share * level->explored / branches;
		share /= branches;
	}
	return done;
}

static void dpor_free(struct strategy *self)
{
	struct dpor *d = dpor_of(self);

	dpor_restart(self);
	vec_release(&d->levels);
	vec_release(&d->sleepers);
	vec_release(&d->decisions);
	vec_release(&d->sequence);
	vec_release(&d->ahead_decisions);
	vec_release(&d->ahead_sleepers);
	mem_free(d->known);
	wakeup_pool_release(&d->pool);
	order_release(&d->order);
	mem_free(d);
}

static const struct strategy_ops dpor_ops = {
	.next = dpor_next,
	.ahead = dpor_ahead,
	.offer = dpor_offer,
	.learn = dpor_learn,
	.restart = dpor_restart,
	.progress = dpor_progress,
	.free = dpor_free,
};

struct strategy *strategy_dpor(const struct strategy_params *params)
{
	struct dpor *d = mem_zalloc(sizeof(*d));

	d->base.ops = &dpor_ops;
	d->tail_seed = params->tail_seed;
	return &d->base;
}

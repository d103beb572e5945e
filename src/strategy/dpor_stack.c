/* dpor_stack.c: the stack of dpor: the way from the root of the tree to the run being made.
 *
 * A level is one event of the run, with the branches and the sleep set of the node before it.
 * Going on means: at the deepest level with another branch the event explored last falls asleep,
 * its branch is removed, and the next branch is followed down to its leaf.
 */
#include "base/mem.h"
#include "strategy/dpor.h"

void dpor_inherit_sleep(struct dpor *d, const struct level *level, struct level *child)
{
	const struct event *step;

	child->sleep_start = (uint32_t)d->sleepers.len;
	child->sleep_len = 0;
	child->slept_len = (uint32_t)d->slept.len;
	if (!level->sleep_len)
		return; /* mostly, and the node of the step is far away */
	step = level_event(level);
	for (uint32_t i = 0; i < level->sleep_len; i++) {
		uint32_t sleeper = d->sleepers.items[level->sleep_start + i];

		if (event_dependent_anyhow(&d->slept.items[sleeper], step))
			continue;
		*vec_push(&d->sleepers) = sleeper;
		child->sleep_len++;
	}
}

void dpor_put_to_sleep(struct dpor *d, struct level *level, const struct event *event)
{
	*vec_push(&d->sleepers) = (uint32_t)d->slept.len;
	*vec_push(&d->slept) = *event;
	level->sleep_len++;
	level->slept_len = (uint32_t)d->slept.len;
}

void dpor_list_sleepers(const struct dpor *d, const struct level *level, struct event_vec *out)
{
	vec_reserve(out, out->len + level->sleep_len);
	for (uint32_t i = 0; i < level->sleep_len; i++)
		out->items[out->len++] = *dpor_sleeper(d, level->sleep_start + i);
}

void dpor_cut_sleepers(struct dpor *d, const struct level *level)
{
	d->sleepers.len = level ? level->sleep_start + level->sleep_len : 0;
	d->slept.len = level ? level->slept_len : 0;
}

static void push_level(struct dpor *d, struct wakeup **list)
{
	struct level *level = level_push(&d->levels, list, d->pool.clock);

	if (d->levels.len > 1)
		dpor_inherit_sleep(d, level - 1, level);
}

void dpor_pop_level(struct dpor *d)
{
	d->levels.len--;
	dpor_cut_sleepers(d, d->levels.len ? vec_last(&d->levels) : NULL);
}

/* The branch explored last is done: its event sleeps from now on. False: no other branch. */
static bool advance_level(struct dpor *d)
{
	struct level *level = vec_last(&d->levels);

	level->before = level->began;
	level->began = d->pool.clock;
	if (level->impossible) {
		level->impossible = false;
		d->ahead.runs -= wakeup_dissolve_first(&d->pool, level->list, d->order.observers);
		return *level->list != NULL;
	}
	dpor_put_to_sleep(d, level, level_event(level));
	level->explored++;
	wakeup_remove_first(&d->pool, level->list);
	return *level->list != NULL;
}

static bool is_taken(const struct level *level)
{
	return (*level->list)->is_taken;
}

/* Where the step behind a branch was impossible, the branch itself has not had its run yet. In a part
 * the levels of the giver are left as they are. */
static bool find_branch(struct dpor *d)
{
	while (d->levels.len > d->shared && !advance_level(d)) {
		dpor_pop_level(d);
		if (d->levels.len && !is_taken(vec_last(&d->levels)))
			return true;
	}
	return d->levels.len > d->shared;
}

/* The first step of the stack that no run has taken. */
static uint32_t first_new_level(const struct dpor *d)
{
	uint32_t at = (uint32_t)d->levels.len - 1;

	while (at > 0 && !is_taken(&d->levels.items[at - 1]))
		at--;
	return at;
}

/* Down the first branch to its leaf. */
static void follow_branch(struct dpor *d)
{
	struct wakeup *node = *vec_last(&d->levels)->list;

	for (; node->children; node = node->children)
		push_level(d, &node->children);
}

/* The events of the stack as decisions, each with a hint whether other branches are left. */
static void write_decisions(struct dpor *d)
{
	d->decisions.len = 0;
	for (size_t i = 0; i < d->levels.len; i++) {
		const struct wakeup *node = *d->levels.items[i].list;
		struct decision *decision = vec_push(&d->decisions);

		decision_set(decision, &node->event);
		decision->left = node->next && i >= d->shared ? LEFT_SOME : LEFT_NOTHING;
	}
}

/* Goes to the branch that is run next; false if no branch is left. */
static bool go_on(struct dpor *d)
{
	if (d->is_fresh) {
		d->is_fresh = false; /* of a part: the last level is its branch */
		return true;
	}
	d->unchanged = UINT32_MAX;
	do {
		if (!find_branch(d))
			return false;
		if (d->levels.len - 1 < d->unchanged)
			d->unchanged = (uint32_t)d->levels.len - 1;
	} while (dpor_part_take(d, *vec_last(&d->levels)->list));
	return true;
}

bool dpor_next(struct strategy *self, struct schedule *schedule, const struct trace **known)
{
	struct dpor *d = dpor_of(self);
	bool was_fresh = d->is_fresh;
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
		push_level(d, &d->tree);
		return true;
	}
	if (!go_on(d)) {
		d->finished = true;
		return false;
	}
	d->branch = first_new_level(d);
	if (!was_fresh)
		schedule->repeats = d->branch < d->unchanged ? d->branch : d->unchanged;
	*known = d->known = dpor_ahead_take(d, *vec_last(&d->levels)->list);
	follow_branch(d);
	if (d->known && d->known->end != END_DIVERGED)
		return true; /* it will not be run again */
	write_decisions(d);
	level = &d->levels.items[d->branch];
	schedule->decisions = d->decisions.items;
	schedule->decisions_len = (uint32_t)d->decisions.len;
	schedule->sleep_from = d->branch;
	vec_clear(&d->handed);
	dpor_list_sleepers(d, level, &d->handed);
	schedule->sleepers = d->handed.items;
	schedule->sleepers_len = level->sleep_len;
	return true;
}

/* Knuth's estimate: the share of the tree that lies to the left of the current path,
 * taking the branches known now for all there are. */
double dpor_progress(const struct strategy *self)
{
	const struct dpor *d = (const struct dpor *)self;
	double share = 1, done = 0;

	if (d->finished)
		return 1;
	for (size_t i = 0; i < d->levels.len; i++) {
		const struct level *level = &d->levels.items[i];
		double branches = level->explored;

		for (const struct wakeup *w = *level->list; w; w = w->next)
			branches++;
		if (branches < 1)
			continue;
		done += share * level->explored / branches;
		share /= branches;
	}
	return done;
}

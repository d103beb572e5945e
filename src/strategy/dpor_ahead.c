/* dpor_ahead.c: runs made before their turn.
 *
 * When a level has a second branch, that branch will be taken as soon as everything
 * under the first is done: what is found until then is added behind it, or below it.
 * So its run is the same now as then: the decisions are the prefix and the branch to its leaf,
 * and asleep are the sleepers of the level and the event of the first branch. Once that run is
 * made, the same holds for the third branch, and for the branches that its own races show. With
 * several runs per handover to the target the handover costs little.
 *
 * Branches whose turn comes first are run first: up the stack, at each level through the
 * runs already made, the deepest branches of each before the others. To keep memory small the
 * walk goes up the stack only so far that about RUNS_MAX runs wait for their turn. There are
 * fewer in a part (dpor_part.h), which loses them if it ends early, and fewer if runs are long. A
 * step takes about 220 bytes, so the runs that wait take some 60 MB.
 */
#include <string.h>

#include "base/mem.h"
#include "strategy/dpor.h"

enum { RUNS_MAX = 256, PART_RUNS_MAX = 96, STEPS_MAX = 1 << 18 };

/* ---- the way to a branch ---- */

struct wakeup **dpor_find_in_list(struct dpor *d, const struct wakeup *branch)
{
	struct wakeup **list = branch->parent ? &branch->parent->children : &d->tree;

	while (*list != branch)
		list = &(*list)->next;
	return list;
}

static bool is_on_stack(const struct dpor *d, const struct wakeup *node)
{
	return node->at < d->levels.len && *d->levels.items[node->at].list == node;
}

/* Branches of the same list that come before this one sleep while it runs. */
static void add_earlier(struct dpor *d, struct level *level)
{
	const struct wakeup *branch = *level->list;
	const struct wakeup *earlier = branch->parent ? branch->parent->children : d->tree;

	for (; earlier != branch; earlier = earlier->next)
		dpor_put_to_sleep(d, level, &earlier->event);
}

/* Fills ahead.path with the levels from the stack down to the branch, their sleep sets on
 * top of d->sleepers. Returns the step of the first. */
static uint32_t find_path(struct dpor *d, struct wakeup *branch)
{
	struct ahead *a = &d->ahead;
	uint32_t top;

	a->climbed.len = a->path.len = 0;
	for (struct wakeup *node = branch; node && !is_on_stack(d, node); node = node->parent)
		*vec_push(&a->climbed) = node;
	top = vec_last(&a->climbed)[0]->at;
	for (size_t i = a->climbed.len; i-- > 0;) {
		struct level *level = level_push(&a->path, dpor_find_in_list(d, a->climbed.items[i]), 0);
		const struct level *stacked = &d->levels.items[top];

		if (a->path.len > 1) {
			dpor_inherit_sleep(d, level - 1, level);
		} else {
			level->sleep_start = (uint32_t)d->sleepers.len;
			level->sleep_len = stacked->sleep_len;
			level->slept_len = (uint32_t)d->slept.len;
			vec_reserve(&d->sleepers, d->sleepers.len + stacked->sleep_len);
			vec_append(&d->sleepers, d->sleepers.items + stacked->sleep_start,
				   stacked->sleep_len);
		}
		add_earlier(d, level);
	}
	return top;
}

/* ---- handing out ---- */

/* Appends the decisions for the first `top` steps of the stack. The nodes of its steps lie here and there, so
 * decisions that were made for another branch are copied. */
static void add_stacked(struct dpor *d, uint32_t top)
{
	struct ahead *a = &d->ahead;
	uint32_t known = top < a->stacked ? top : a->stacked;

	if (!a->decisions.len)
		a->stacked = top;
	vec_reserve(&a->decisions, a->decisions.len + top);
	if (known)
		memcpy(a->decisions.items + a->decisions.len, a->decisions.items,
		       known * sizeof(*a->decisions.items));
	a->decisions.len += known;
	for (uint32_t i = known; i < top; i++)
		decision_set(vec_push(&a->decisions), level_event(&d->levels.items[i]));
}

static void hand_out(struct dpor *d, struct wakeup *branch, struct schedule *schedule)
{
	struct ahead *a = &d->ahead;
	size_t decisions = a->decisions.len;
	uint32_t top = find_path(d, branch);
	const struct level *level = vec_last(&a->path);

	add_stacked(d, top);
	for (uint32_t i = top; i < branch->at; i++)
		decision_set(vec_push(&a->decisions), level_event(&a->path.items[i - top]));
	for (struct wakeup *node = branch; node; node = node->children) {
		decision_set(vec_push(&a->decisions), &node->event);
		a->leaves[a->out_len] = node;
	}
	dpor_list_sleepers(d, level, &a->sleepers);
	*schedule = (struct schedule){
		.tail = d->tail_seed ? TAIL_RANDOM : TAIL_FIRST,
		.seed = d->tail_seed,
		.decisions_len = (uint32_t)(a->decisions.len - decisions),
		.sleepers_len = level->sleep_len,
		.sleep_from = branch->at,
	};
	dpor_cut_sleepers(d, vec_last(&d->levels));
	a->out[a->out_len++] = branch;
}

/* ---- choosing branches ---- */

struct search {
	struct dpor *d;
	struct schedule *schedules;
	uint32_t max;
};

static void search_run(struct search *s, struct wakeup *branch);

/* The branches behind the node, up to the first without a run: the branches behind that one
 * cannot be run before its run is known. */
static void search_behind(struct search *s, struct wakeup *node)
{
	struct ahead *a = &s->d->ahead;

	for (node = node->next; node && a->out_len < s->max; node = node->next) {
		if (!wakeup_has_run(node) && !node->out)
			hand_out(s->d, node, &s->schedules[a->out_len]);
		if (!wakeup_has_run(node) || (node->ahead && node->ahead->end == END_DIVERGED))
			return;
		if (node->unmade && !node->out)
			search_run(s, node);
	}
}

/* Below a branch whose run was made, from the end of the run up. */
static void search_run(struct search *s, struct wakeup *branch)
{
	struct wakeup *node = branch;

	while (node->children && node->unmade)
		node = node->children;
	for (; node != branch && s->d->ahead.out_len < s->max; node = node->parent)
		search_behind(s, node);
}

/* How many runs may wait for their turn. The run that is on the stack is as long as others. */
static uint32_t most_runs(const struct dpor *d)
{
	uint32_t most = d->shared ? PART_RUNS_MAX : RUNS_MAX;
	size_t fitting = STEPS_MAX / (d->levels.len + 1);

	return fitting < most ? (uint32_t)fitting : most;
}

static void adjust_window(struct dpor *d, uint32_t max)
{
	struct ahead *a = &d->ahead;
	uint32_t most = most_runs(d);

	if (a->runs >= most)
		a->window /= 2;
	else if (a->out_len < max && a->runs < most / 2)
		a->window++;
}

uint32_t dpor_ahead(struct strategy *self, struct schedule *schedules, uint32_t max)
{
	struct dpor *d = dpor_of(self);
	struct ahead *a = &d->ahead;
	struct search search = {d, schedules, max < AHEAD_MAX ? max : AHEAD_MAX};
	const struct decision *decisions;
	const struct event *sleepers;
	uint32_t stop;

	max = search.max;
	a->out_len = 0;
	a->decisions.len = a->sleepers.len = a->stacked = 0;
	stop = d->branch > d->shared + a->window ? d->branch - a->window : d->shared;
	for (uint32_t at = d->branch; at-- > stop && a->out_len < max;)
		search_behind(&search, *d->levels.items[at].list);
	adjust_window(d, max);
	/* The arrays are shared by all schedules and have stopped moving. */
	decisions = a->decisions.items;
	sleepers = a->sleepers.items;
	for (uint32_t i = 0; i < a->out_len; i++) {
		schedules[i].decisions = decisions;
		schedules[i].sleepers = sleepers;
		decisions += schedules[i].decisions_len;
		sleepers += schedules[i].sleepers_len;
	}
	return a->out_len;
}

/* ---- taking back ---- */

/* Nodes on the stack are never searched, so their counts do not matter. */
void dpor_ahead_note(struct dpor *d, const struct wakeup *branch)
{
	for (struct wakeup *n = branch->parent; n && !is_on_stack(d, n); n = n->parent)
		n->unmade++;
}

static void note_made(struct dpor *d, const struct wakeup *branch)
{
	for (struct wakeup *n = branch->parent; n && !is_on_stack(d, n); n = n->parent)
		n->unmade--;
}

void dpor_offer(struct strategy *self, uint32_t i, const struct trace *trace)
{
	struct dpor *d = dpor_of(self);
	struct wakeup *branch = d->ahead.out[i];
	uint32_t top;

	if (d->ahead.leaves[i]->children)
		return; /* steps were added below it meanwhile: another run is wanted */
	branch->ahead = trace_copy(trace);
	d->ahead.runs++;
	note_made(d, branch);
	if (trace->end == END_DIVERGED)
		return; /* looked at when its turn comes */
	top = find_path(d, branch);
	dpor_grow(d, &d->ahead.path, top, branch->at, trace);
	dpor_cut_sleepers(d, vec_last(&d->levels));
}

struct trace *dpor_ahead_take(struct dpor *d, struct wakeup *branch)
{
	struct trace *trace = branch->ahead;

	branch->ahead = NULL;
	d->ahead.runs -= trace != NULL;
	return trace;
}

void dpor_ahead_clear(struct dpor *d)
{
	d->ahead.out_len = d->ahead.runs = d->ahead.window = 0;
}

void dpor_ahead_release(struct dpor *d)
{
	vec_release(&d->ahead.path);
	vec_release(&d->ahead.climbed);
	vec_release(&d->ahead.decisions);
	vec_release(&d->ahead.sleepers);
}

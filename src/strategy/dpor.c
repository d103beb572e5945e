/* dpor.c: optimal dynamic partial order reduction with wake-up trees.
 *
 * After Abdulla, Aronis, Jonsson and Sagonas, "Optimal Dynamic Partial Order
 * Reduction", POPL 2014, Algorithm 2, turned from a recursion into a stack so that
 * the explorer keeps the loop. A level of the stack is one event of the current
 * execution E, with the branches and the sleep set of the node before it.
 *
 *   grow     the run E is complete: for each race e, f in it, v = notdep(e, E).f is
 *            inserted at the node before e unless a sleeper there is a weak initial
 *            of v (lines 5 to 11 of the algorithm);
 *   next     (dpor_stack.c) the deepest node with another branch: the event explored last goes
 *            to sleep, its branch goes, the next branch is followed to its leaf (lines 15
 *            to 22).
 */
#include "base/mem.h"
#include "strategy/dpor.h"

/* ---- taking a run into the tree ---- */

static void note_mail(struct dpor *d, const struct event *event)
{
	if (d->observes)
		return;
	for (uint32_t a = 0; a < event->access_len; a++)
		d->observes |= access_is_mail(&event->accesses[a]);
	if (d->observes)
		dpor_part_settle(d);
}

/* Do other receives distinguish the messages of the step now than when the node was analysed? The
 * tags of its accesses to mailboxes are other ones then. */
static bool is_observed_otherwise(const struct dpor *d, const struct event *was,
				  const struct trace *trace, uint32_t i)
{
	const struct event *now = &trace->events[i];

	for (uint32_t a = 0; a < now->access_len; a++)
		if (!access_has_same_detail(&was->accesses[a], &now->accesses[a]))
			return true;
	return false;
}

/* The path has the levels from step `top` on, the stack has the levels above. */
static const struct level *level_at(const struct dpor *d, const struct level_vec *path,
				    uint32_t top, uint32_t place)
{
	return place < top ? &d->levels.items[place] : &path->items[place - top];
}

/* The steps before `at` were analysed in an earlier run, but the later steps of this run may
 * observe more of them. Returns the first step whose races must all be found again. */
static uint32_t take_observations(struct dpor *d, const struct level_vec *path, uint32_t top,
				  uint32_t at, const struct trace *trace)
{
	uint32_t from = at;

	if (!d->observes && !d->pool.has_open_ghost)
		return at;
	for (uint32_t i = at; i-- > 0;) {
		const struct level *level = level_at(d, path, top, i);

		if (d->observes && is_observed_otherwise(d, level_event(level), trace, i)) {
			(*level->list)->event = trace->events[i];
			dpor_checked_note_event(d, &trace->events[i], i);
		} else if (!(*level->list)->has_open_ghost)
			continue;
		from = i;
	}
	for (uint32_t i = from; i < at; i++)
		wakeup_forget_open(&d->pool, *level_at(d, path, top, i)->list);
	return from;
}

/* The steps from `at` on have now really been taken. Their effects may differ from those that
 * were expected (the reversed step read another value), so the nodes of the branch and the sleep
 * sets below it are made anew; nodes for the steps behind the branch are added. */
static void take_over(struct dpor *d, struct level_vec *path, uint32_t top, uint32_t at,
		      const struct trace *trace)
{
	struct wakeup *parent = NULL;
	bool is_narrower;

	path->len = at - top + 1;
	dpor_cut_sleepers(d, vec_last(path));
	for (uint32_t i = at; i < trace->events_len; i++) {
		struct level *level;

		if (i > at) {
			level = level_push(path, &parent->children, d->pool.clock);
			dpor_inherit_sleep(d, level - 1, level);
		}
		level = vec_last(path);
		is_narrower = false;
		if (*level->list) {
			is_narrower = event_touches_all(&(*level->list)->event) &&
				      !event_touches_all(&trace->events[i]);
			(*level->list)->event = trace->events[i];
		} else {
			*level->list = wakeup_leaf(&d->pool, parent, &trace->events[i]);
		}
		dpor_checked_note_event(d, &trace->events[i], i);
		note_mail(d, &trace->events[i]);
		parent = *level->list;
		if (!parent->is_taken && parent->next && (parent->event.deadline || is_narrower))
			*vec_push(&d->surprises) = parent;
		parent->is_taken = true;
	}
}

/* While no run had a message every order counts, which is asked faster. */
static enum observers observers_of(const struct dpor *d)
{
	return d->observes ? d->order.observers : OBSERVERS_NONE;
}

static void mark_sequence(struct dpor *d)
{
	vec_clear(&d->marks);
	for (size_t i = 0; i < d->sequence.len; i++)
		*vec_push(&d->marks) = dependence_mark(d->sequence.items[i]);
}

/* Does a sleeper cover v whatever comes behind f? This is asked before the rest of v is looked for,
 * because the answer is yes for half of all races. The next event of v must be f, so the answer is
 * no where an event behind f may be undecided: it would have to come before f. Lists the sleepers
 * that may cover v all the same (d->asleep), unless the order of messages may be unobserved. */
static bool is_covered_early(struct dpor *d, const struct level *level,
			     const struct order_race *race)
{
	const struct event *f = order_event(&d->order, race->second);
	bool may_change = order_place(&d->order, race->second) < d->order.events_len &&
			  dpor_may_change_others(d, race);
	size_t at;

	d->asleep.len = 0;
	if (observers_of(d) != OBSERVERS_NONE)
		return false;
	mark_sequence(d);
	for (uint32_t i = level->sleep_start; i < level->sleep_start + level->sleep_len; i++) {
		const struct event *sleeper = dpor_sleeper(d, i);

		if (!dependence_is_marked_initial(sleeper, d->sequence.items, d->marks.items, d->sequence.len, &at))
			continue;
		if (!may_change && (at < d->sequence.len || sleeper->actor == f->actor))
			return true;
		*vec_push(&d->asleep) = i;
	}
	return false;
}

/* Does a sleeper of the level cover the wanted sequence? *is_open: it may not if the run goes on
 * otherwise behind the firm steps. */
static bool is_covered(const struct dpor *d, const struct level *level,
		       const struct wakeup_wanted *wanted, bool *is_open)
{
	bool is_plain = wanted->marks != NULL;
	size_t len = is_plain ? d->asleep.len : level->sleep_len;
	bool is_covered = false;
	size_t at;

	for (size_t i = 0; i < len; i++) {
		size_t place = is_plain ? d->asleep.items[i] : level->sleep_start + i;
		const struct event *sleeper = dpor_sleeper(d, place);

		if (!wakeup_covers(sleeper, wanted, &at))
			continue;
		is_covered = true;
		*is_open = !wakeup_is_firm(sleeper, wanted, at);
		if (!*is_open)
			break;
	}
	return is_covered;
}

static struct wakeup_wanted list_wanted(struct dpor *d, const struct level *level)
{
	bool is_plain = observers_of(d) == OBSERVERS_NONE;

	if (is_plain)
		mark_sequence(d);
	return (struct wakeup_wanted){
		.first = level_event(level),
		.sequence = d->sequence.items,
		.marks = is_plain ? d->marks.items : NULL,
		.len = d->sequence.len,
		.kept = d->kept,
		.firm = d->firm,
		.observers = observers_of(d),
	};
}

/* A race stays open at the node of its second step, or of the step that withdrew its second step. A
 * step that was still pending when the run ended is in no other run: its races do not stay open. */
static void keep_open(struct dpor *d, const struct level_vec *path, uint32_t top,
		      const struct order_race *race)
{
	uint32_t place = order_place(&d->order, race->second);
	struct wakeup *node;

	if (place == d->order.events_len)
		return;
	/* A step that became possible only after its withdrawal stays open where it did. */
	if (race->second >= d->order.events_len &&
	    order_withdrawal(&d->order, race->second) < place)
		place--;
	node = *level_at(d, path, top, place)->list;
	if (race->second < d->order.events_len)
		wakeup_open(&d->pool, node, race->first);
	else
		wakeup_open_ghost(&d->pool, node);
}

/* Adds one reversal of the race to the tree, unless it is covered. Returns whether another run may show
 * that a reversal is missing. */
static bool reverse_so(struct dpor *d, const struct level_vec *path, uint32_t top,
		       const struct trace *trace, const struct order_race *race, enum reversal how)
{
	const struct level *level = level_at(d, path, top, race->first);
	const struct wakeup *branch = NULL;
	struct wakeup_wanted wanted;
	bool is_open;

	dpor_begin_reversal(d, trace, race, how);
	if (is_covered_early(d, level, race))
		return false;
	dpor_build_reversal(d, trace, race, how);
	wanted = list_wanted(d, level);
	if (is_covered(d, level, &wanted, &is_open))
		return is_open || d->stays_open;
	if (race->first < d->shared)
		is_open = dpor_part_want(d, level, race->first, wanted);
	else
		branch = wakeup_insert(&d->pool, (*level->list)->parent, level->list, wanted, &is_open);
	if (branch)
		dpor_ahead_note(d, branch);
	return is_open || d->stays_open;
}

static void reverse(struct dpor *d, const struct level_vec *path, uint32_t top,
		    const struct trace *trace, const struct order_race *race)
{
	enum reversal last = dpor_was_withdrawn_timer(d, race->second) ? REVERSAL_LATE
								       : REVERSAL_PLAIN;

	for (enum reversal how = REVERSAL_PLAIN; how <= last; how++)
		if (reverse_so(d, path, top, trace, race, how))
			keep_open(d, path, top, race);
}

/* Races among the steps before `at`, which an earlier run showed, are looked at again where the
 * way this run goes on may make a difference. */
static void reverse_again(struct dpor *d, const struct level_vec *path, uint32_t top, uint32_t at,
			  const struct trace *trace)
{
	for (uint32_t i = 0; i < at && d->pool.open; i++) {
		struct wakeup_open *open =
			wakeup_take_open(*level_at(d, path, top, i)->list);

		while (open) {
			struct order_race race = {open->first, i, ORDER_NO_EVENT};

			race.observer = order_observer(&d->order, race.first, race.second);
			open = wakeup_close(&d->pool, open);
			reverse(d, path, top, trace, &race);
		}
	}
}

/* Steps that met a signal while they waited, in programs whose handlers ran. Whether they can do
 * without the signal depends on events behind them, so all of the run are looked at, and none stays
 * open for the next run, in which it may not be able to.
 * Test: tests/property/found/signal_in_join.program. */
static void reverse_interrupted(struct dpor *d, const struct level_vec *path, uint32_t top,
				const struct trace *trace)
{
	struct order_race race = {0, 0, ORDER_NO_EVENT};

	for (; (trace->assumed & ASSUMED_HANDLERS) && dpor_next_interrupted(d, trace, &race);
	     race.first++)
		reverse_so(d, path, top, trace, &race, REVERSAL_PLAIN);
}

void dpor_grow(struct dpor *d, struct level_vec *path, uint32_t top, uint32_t at,
	       const struct trace *trace)
{
	uint32_t from;

	d->surprises.len = 0;
	d->pool.clock++;
	take_over(d, path, top, at, trace);
	for (size_t i = 0; i < d->surprises.len; i++)
		dpor_gather(d, d->surprises.items[i]);
	from = take_observations(d, path, top, at, trace);
	order_build(&d->order, trace, from);
	reverse_again(d, path, top, from, trace);
	for (size_t r = 0; r < d->order.races.len; r++)
		reverse(d, path, top, trace, &d->order.races.items[r]);
	reverse_interrupted(d, path, top, trace);
}

/* The prefix was followed, but the reversed step was not possible: the pair cannot be swapped
 * after all (another timer kept this one from firing). No run is lost by that. */
static bool is_impossible_reversal(const struct dpor *d, const struct trace *trace)
{
	return trace->end == END_DIVERGED && trace->events_len < d->levels.len;
}

static void dpor_learn(struct strategy *self, const struct trace *trace)
{
	struct dpor *d = dpor_of(self);

	if (is_impossible_reversal(d, trace)) {
		while (d->levels.len > trace->events_len + 1)
			dpor_pop_level(d); /* the steps behind it are not possible either */
		vec_last(&d->levels)->impossible = true;
		return;
	}
	/* A run made ahead was analysed then. The caller may have copied the struct, so the runs
	 * are compared by their events. */
	if (!d->known || trace->events != d->known->events)
		dpor_grow(d, &d->levels, 0, d->branch, trace);
	/* The run ended inside its schedule (diverged, lost), or before steps that were added
	 * below its last step since it was made. */
	while (d->levels.len > trace->events_len)
		dpor_pop_level(d);
}

static void dpor_restart(struct strategy *self)
{
	struct dpor *d = dpor_of(self);

	dpor_ahead_clear(d);
	dpor_part_forget(d);
	while (d->tree)
		wakeup_remove_first(&d->pool, &d->tree);
	d->levels.len = 0;
	dpor_cut_sleepers(d, NULL);
	d->started = d->finished = false;
}

static void dpor_free(struct strategy *self)
{
	struct dpor *d = dpor_of(self);

	dpor_restart(self);
	vec_release(&d->levels);
	vec_release(&d->sleepers);
	vec_release(&d->slept);
	vec_release(&d->handed);
	vec_release(&d->decisions);
	vec_release(&d->sequence);
	vec_release(&d->rest);
	vec_release(&d->surprises);
	vec_release(&d->undecided);
	vec_release(&d->asleep);
	vec_release(&d->marks);
	vec_release(&d->wanted);
	map_release(&d->answers);
	strbuf_release(&d->wants);
	dpor_ahead_release(d);
	mem_free(d->known);
	wakeup_pool_release(&d->pool);
	order_release(&d->order);
	mem_free(d);
}

static struct strategy *dpor_parts(struct strategy *self)
{
	return self;
}

static const struct strategy_ops dpor_ops = {
	.next = dpor_next,
	.ahead = dpor_ahead,
	.offer = dpor_offer,
	.learn = dpor_learn,
	.restart = dpor_restart,
	.progress = dpor_progress,
	.parts = dpor_parts,
	.save = dpor_save,
	.restore = dpor_load,
	.free = dpor_free,
};

struct strategy *strategy_dpor(const struct strategy_params *params)
{
	struct dpor *d = mem_zalloc(sizeof(*d));

	d->base.ops = &dpor_ops;
	d->tail_seed = params->tail_seed;
	d->order.observers = params->observers;
	return &d->base;
}

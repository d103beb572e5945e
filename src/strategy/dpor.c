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
	for (uint32_t a = 0; a < event->access_len; a++)
		d->observes |= access_is_mail(&event->accesses[a]);
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

		if (d->observes && is_observed_otherwise(d, level_event(level), trace, i))
			(*level->list)->event = trace->events[i];
		else if (!(*level->list)->has_open_ghost)
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

	path->len = at - top + 1;
	d->sleepers.len = vec_last(path)->sleep_start + vec_last(path)->sleep_len;
	for (uint32_t i = at; i < trace->events_len; i++) {
		struct level *level;

		if (i > at) {
			struct level below = {.list = &parent->children};

			dpor_inherit_sleep(d, vec_last(path), &below);
			*vec_push(path) = below;
		}
		level = vec_last(path);
		if (!*level->list)
			*level->list = wakeup_leaf(&d->pool, parent, &trace->events[i]);
		else
			(*level->list)->event = trace->events[i];
		note_mail(d, &trace->events[i]);
		parent = *level->list;
		parent->is_taken = true;
	}
}

/* Is event i, which is before the observer of the race, needed for it? */
static bool leads_to_observer(const struct dpor *d, const struct trace *trace,
			      const struct order_race *race, uint32_t i)
{
	return race->observer == trace->events_len || order_before(&d->order, i, race->observer);
}

/* The observer takes the other message, or sees both messages in the other order. */
static void add_observer(struct dpor *d, const struct event *observer, const struct event *f)
{
	d->observer = event_as_announced(observer);
	if (observer->kind == EVENT_RECEIVE)
		event_set_feeder(&d->observer, f->actor, f->ordinal);
	*vec_push(&d->sequence) = &d->observer;
}

/* e and f are messages, and their order matters only because of the observer. So the wanted
 * sequence has e after f and the events that lead to the observer, too (Aronis and others, TACAS
 * 2018). Otherwise a run in which the order is not observed would cover it. */
static void add_observation(struct dpor *d, const struct trace *trace,
			    const struct order_race *race)
{
	for (uint32_t i = race->first; i < race->observer; i++) {
		bool was_before = i > race->first && i < race->second &&
				  !order_before(&d->order, race->first, i);

		if (i != race->second && !was_before && leads_to_observer(d, trace, race, i))
			*vec_push(&d->sequence) = &trace->events[i];
	}
	if (race->observer < trace->events_len)
		add_observer(d, &trace->events[race->observer], &trace->events[race->second]);
	d->kept = d->sequence.len;
}

/* The reversed step goes before events that it came after, so it may do all that it announced. A
 * poll does not find the message that it took. */
static void add_reversed(struct dpor *d, const struct event *event)
{
	d->reversed = event_as_announced(event);
	if (event_polls(&d->reversed)) {
		d->reversed.flags |= EVENT_FAILED;
		event_clear_peer(&d->reversed);
	}
	*vec_push(&d->sequence) = &d->reversed;
}

/* How a reversal is built. A timer goes in the order of deadlines and can be kept from firing by
 * several rivals, which no access tells: of the three ways some may turn out impossible. Example:
 * a message ends the wait of the timer's owner, and the end of the test stops all timers; the
 * timer must go before both. */
enum reversal {
	REVERSAL_PLAIN, /* of a timer: without the events that it might change */
	REVERSAL_EARLY, /* of a timer: before all its rivals */
	REVERSAL_LATE,  /* of a timer: behind the events that it might change */
};

/* Is f a timer that did not fire? A timer that is due earlier may have kept it back. */
static bool was_withdrawn_timer(const struct dpor *d, uint32_t second)
{
	return second >= d->order.events_len && order_event(&d->order, second)->deadline;
}

/* May f come behind events that it might change if it came before them? */
static bool can_come_late(const struct dpor *d, const struct order_race *race, enum reversal how)
{
	return race->observer == ORDER_NO_EVENT &&
	       (how == REVERSAL_LATE || !order_event(&d->order, race->second)->deadline);
}

/* May events behind f that do not depend on e have other effects if f goes before e? Not if f did
 * all that it announced: an event that depends on f then depends on e, too. Messages whose order
 * is not observed are the exception, and steps that were withdrawn. */
static bool may_change_others(const struct dpor *d, uint32_t second)
{
	const struct event *f = order_event(&d->order, second);

	return d->observes || event_did_less(f) || f->deadline || second >= d->order.events_len;
}

static bool depends_on_undecided(const struct dpor *d, uint32_t i)
{
	for (size_t u = 0; u < d->undecided.len; u++)
		if (order_before(&d->order, d->undecided.items[u], i))
			return true;
	return false;
}

/* f is a step that was withdrawn: is event i the one that did so, or does it need that one? */
static bool is_behind_withdrawal(const struct dpor *d, const struct trace *trace,
				 const struct order_race *race, uint32_t i)
{
	uint32_t place = order_place(&d->order, race->second);

	return race->second >= trace->events_len && place < trace->events_len &&
	       (i == place || order_before(&d->order, place, i));
}

/* The first event that may come behind f in the run. */
static uint32_t find_behind(const struct dpor *d, const struct trace *trace,
			    const struct order_race *race)
{
	uint32_t from = order_place(&d->order, race->second) + (race->second < trace->events_len);

	return from > race->first ? from : race->first + 1;
}

/* The step that armed the timer f. */
static uint32_t find_arming(const struct dpor *d, const struct trace *trace,
			    const struct order_race *race)
{
	const struct event *f = order_event(&d->order, race->second);
	uint32_t i = order_place(&d->order, race->second);

	while (i-- > 0)
		if (trace->events[i].actor == event_owner(f) ||
		    event_created(&trace->events[i]) == f->actor)
			return i;
	return ORDER_NO_EVENT;
}

/* Is event i, behind e, in conflict with the timer f, or does it need such an event? The step that
 * armed f, and its past, are not rivals. */
static bool is_behind_rival(const struct dpor *d, const struct trace *trace,
			    const struct order_race *race, uint32_t i)
{
	const struct event *f = order_event(&d->order, race->second);
	uint32_t armed = find_arming(d, trace, race);

	if (armed != ORDER_NO_EVENT && order_before(&d->order, i, armed))
		return false;
	for (uint32_t r = race->first + 1; r <= i; r++)
		if (event_dependent_anyhow(f, &trace->events[r]) &&
		    trace->events[r].actor != event_owner(f) &&
		    (armed == ORDER_NO_EVENT || !order_before(&d->order, r, armed)) &&
		    (r == i || order_before(&d->order, r, i)))
			return true;
	return false;
}

/* Events behind f that neither depend on e nor lead to the observer belong to the reversal, too.
 * Without e before it f may do all that it announced, and then some of these events might have
 * other effects: they are undecided, and so are the events that depend on them. Undecided events
 * stay before f if f can come late; otherwise they are left out.
 *     A: register n fails    (f, announced as a write of n)
 *     B: whereis n           undecided: it may find A if f goes before e
 * Returns how many of `rest` are to come before f: all up to the last undecided one. */
static size_t find_rest(struct dpor *d, const struct trace *trace, const struct order_race *race,
			enum reversal how)
{
	struct order_after e = order_after(&d->order, race->first);
	struct event f;
	bool is_late = can_come_late(d, race, how);
	bool may_change = may_change_others(d, race->second);
	size_t before = 0;

	d->rest.len = d->undecided.len = 0;
	if (may_change)
		f = event_as_announced(order_event(&d->order, race->second));
	for (uint32_t i = find_behind(d, trace, race); i < trace->events_len; i++) {
		bool is_undecided;

		if (order_is_after(&e, i) || is_behind_withdrawal(d, trace, race, i) ||
		    (how == REVERSAL_EARLY && is_behind_rival(d, trace, race, i)) ||
		    (race->observer != ORDER_NO_EVENT && i < race->observer &&
		     leads_to_observer(d, trace, race, i)))
			continue;
		is_undecided = may_change && (event_dependent_anyhow(&f, &trace->events[i]) ||
					      depends_on_undecided(d, i));
		if (is_undecided)
			*vec_push(&d->undecided) = i;
		if (is_undecided && !is_late)
			continue;
		*vec_push(&d->rest) = i;
		if (is_undecided)
			before = d->rest.len;
	}
	return before;
}

static void add_rest(struct dpor *d, const struct trace *trace, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		*vec_push(&d->sequence) = &trace->events[d->rest.items[i]];
}

/* Does f wait, at the end of the run, for a lock that e and other actors share, and did one of
 * those actors take the lock in event i, or in an event that i needs? For f to go before e all of
 * them must wait. */
static bool is_behind_lock(const struct dpor *d, const struct trace *trace,
			   const struct order_race *race, uint32_t i)
{
	const struct event *f = order_event(&d->order, race->second);

	if (!(f->flags & EVENT_BLOCKED) || !event_locks_out(&trace->events[race->first], f))
		return false;
	for (uint32_t h = race->first + 1; h <= i; h++)
		if (event_locks_out(&trace->events[h], f) &&
		    (h == i || order_before(&d->order, h, i)))
			return true;
	return false;
}

/* Begins v: the events between e and f that do not depend on e. */
static void begin_reversal(struct dpor *d, const struct trace *trace, const struct order_race *race,
			   enum reversal how)
{
	struct order_after e = order_after(&d->order, race->first);
	uint32_t place = order_place(&d->order, race->second);

	d->sequence.len = 0;
	for (uint32_t i = race->first + 1; i < place; i++)
		if (!order_is_after(&e, i) && !is_behind_lock(d, trace, race, i) &&
		    !(how == REVERSAL_EARLY && is_behind_rival(d, trace, race, i)))
			*vec_push(&d->sequence) = &trace->events[i];
	d->firm = d->sequence.len;
}

/* Does a sleeper cover v whatever comes behind f? This is asked before the rest of v is looked for,
 * because the answer is yes for half of all races. The next event of v must be f, so the answer is
 * no where an event behind f may be undecided: it would have to come before f. */
static bool is_covered_early(const struct dpor *d, const struct level *level,
			     const struct order_race *race)
{
	const struct event *f = order_event(&d->order, race->second);
	size_t at;

	if (order_place(&d->order, race->second) < d->order.events_len &&
	    may_change_others(d, race->second))
		return false;
	for (uint32_t i = 0; i < level->sleep_len; i++) {
		const struct event *sleeper = &d->sleepers.items[level->sleep_start + i];

		if (dependence_is_initial(sleeper, d->sequence.items, d->sequence.len, &at) &&
		    (at < d->sequence.len || sleeper->actor == f->actor))
			return true;
	}
	return false;
}

/* A race with a step that was withdrawn stays open: events behind the withdrawal, which differ from
 * run to run, may have to come before that step.
 *
 * v has all events after e that do not depend on e, and f. These events will have the same effects
 * as in this run; f, without e before it, may do all that it announced. Events behind f are part
 * of v, because one of them may wake a sleeper, and without the event that sleeper would cover v.
 * If e ended the run it is added behind f: with one more step before the end of the run it is
 * another class. */
static void build_reversal(struct dpor *d, const struct trace *trace, const struct order_race *race,
			   enum reversal how)
{
	size_t before = find_rest(d, trace, race, how);

	add_rest(d, trace, 0, before);
	add_reversed(d, order_event(&d->order, race->second));
	d->firm++;
	d->stays_open = before || race->observer != ORDER_NO_EVENT ||
			event_did_less(order_event(&d->order, race->second)) ||
			race->second >= trace->events_len;
	if (race->second >= trace->events_len && event_touches_all(&trace->events[race->first]))
		*vec_push(&d->sequence) = &trace->events[race->first];
	d->kept = d->sequence.len;
	if (race->observer != ORDER_NO_EVENT)
		add_observation(d, trace, race);
	add_rest(d, trace, before, d->rest.len);
	if (race->observer == ORDER_NO_EVENT)
		d->kept = d->sequence.len;
}

/* Does a sleeper of the level cover the wanted sequence? *is_open: it may not if the run goes on
 * otherwise behind the firm steps. */
static bool is_covered(const struct dpor *d, const struct level *level,
		       const struct wakeup_wanted *wanted, bool *is_open)
{
	bool is_covered = false;
	size_t at;

	for (uint32_t i = 0; i < level->sleep_len; i++) {
		const struct event *sleeper = &d->sleepers.items[level->sleep_start + i];

		if (!wakeup_covers(sleeper, wanted, &at))
			continue;
		is_covered = true;
		*is_open = !wakeup_is_firm(sleeper, wanted, at);
		if (!*is_open)
			break;
	}
	return is_covered;
}

/* All steps up to `place`, then the sequence. */
static void build_whole(struct dpor *d, const struct level_vec *path, uint32_t top, uint32_t place)
{
	d->whole.len = 0;
	for (uint32_t i = 0; i < place; i++)
		*vec_push(&d->whole) = level_event(level_at(d, path, top, i));
	vec_append(&d->whole, d->sequence.items, d->sequence.len);
}

/* Does a message that slept before step i, and that step i has woken, cover the sequence? It does
 * if no later event observes the order of the two: then it could have slept on. */
static bool is_covered_unobserved(struct dpor *d, const struct level *level, uint32_t i,
			      uint32_t place, const struct trace *trace)
{
	struct wakeup_wanted wanted = {.first = &trace->events[place],
				       .sequence = d->whole.items + i,
				       .len = d->whole.len - i,
				       .observers = d->order.observers};
	size_t at;

	for (uint32_t s = 0; s < level->sleep_len; s++) {
		const struct event *sleeper = &d->sleepers.items[level->sleep_start + s];

		if (dependence_may_be_unobserved(sleeper, wanted.sequence[0], wanted.sequence + 1,
						 wanted.len - 1) &&
		    wakeup_covers(sleeper, &wanted, &at))
			return true;
	}
	return false;
}

/* While no run had a message every order counts, which is asked faster. */
static enum observers observers_of(const struct dpor *d)
{
	return d->observes ? d->order.observers : OBSERVERS_NONE;
}

static struct wakeup_wanted list_wanted(struct dpor *d, const struct level *level)
{
	return (struct wakeup_wanted){
		.first = level_event(level),
		.sequence = d->sequence.items,
		.len = d->sequence.len,
		.kept = d->kept,
		.firm = d->firm,
		.observers = observers_of(d),
	};
}

/* Is the sequence, at step `place`, covered by a sleeper of that place, or by a sleeper further up
 * that was woken by a message whose order with the sleeper is not observed? */
static bool is_covered_by_sleep(struct dpor *d, const struct level_vec *path, uint32_t top,
				uint32_t place, const struct trace *trace, bool *is_open)
{
	struct wakeup_wanted wanted = list_wanted(d, level_at(d, path, top, place));

	*is_open = true;
	if (is_covered(d, level_at(d, path, top, place), &wanted, is_open))
		return true;
	if (observers_of(d) == OBSERVERS_NONE)
		return false;
	build_whole(d, path, top, place);
	for (uint32_t i = 0; i < place; i++)
		if (is_covered_unobserved(d, level_at(d, path, top, i), i, place, trace))
			return true;
	return false;
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
	node = *level_at(d, path, top, place)->list;
	if (race->second < d->order.events_len)
		wakeup_open(&d->pool, node, race->first);
	else
		wakeup_open_ghost(&d->pool, node);
}

/* Adds one reversal of the race to the tree, unless it is covered. */
static void reverse_so(struct dpor *d, const struct level_vec *path, uint32_t top,
		       const struct trace *trace, const struct order_race *race, enum reversal how)
{
	const struct level *level = level_at(d, path, top, race->first);
	const struct wakeup *branch = NULL;
	bool is_open;

	begin_reversal(d, trace, race, how);
	if (is_covered_early(d, level, race))
		return;
	build_reversal(d, trace, race, how);
	if (!is_covered_by_sleep(d, path, top, race->first, trace, &is_open))
		branch = wakeup_insert(&d->pool, (*level->list)->parent, level->list,
				       list_wanted(d, level), &is_open);
	if (branch)
		dpor_ahead_note(d, branch);
	if (is_open || d->stays_open)
		keep_open(d, path, top, race);
}

static void reverse(struct dpor *d, const struct level_vec *path, uint32_t top,
		    const struct trace *trace, const struct order_race *race)
{
	enum reversal last = was_withdrawn_timer(d, race->second) ? REVERSAL_LATE : REVERSAL_PLAIN;

	for (enum reversal how = REVERSAL_PLAIN; how <= last; how++)
		reverse_so(d, path, top, trace, race, how);
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

void dpor_grow(struct dpor *d, struct level_vec *path, uint32_t top, uint32_t at,
	       const struct trace *trace)
{
	uint32_t from;

	take_over(d, path, top, at, trace);
	from = take_observations(d, path, top, at, trace);
	order_build(&d->order, trace, from);
	reverse_again(d, path, top, from, trace);
	for (size_t r = 0; r < d->order.races.len; r++)
		reverse(d, path, top, trace, &d->order.races.items[r]);
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
	while (d->tree)
		wakeup_remove_first(&d->pool, &d->tree);
	d->levels.len = d->sleepers.len = 0;
	d->started = d->finished = false;
}

static void dpor_free(struct strategy *self)
{
	struct dpor *d = dpor_of(self);

	dpor_restart(self);
	vec_release(&d->levels);
	vec_release(&d->sleepers);
	vec_release(&d->handed);
	vec_release(&d->decisions);
	vec_release(&d->sequence);
	vec_release(&d->rest);
	vec_release(&d->undecided);
	vec_release(&d->whole);
	dpor_ahead_release(d);
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
	d->order.observers = params->observers;
	return &d->base;
}

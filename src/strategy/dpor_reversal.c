/* dpor_reversal.c: the reversal v of a race (e, f): the sequence that shall come before e.
 *
 * v has all events of the run that do not depend on e, and f. Three things make this less than
 * simple: f may do more where it goes now, f may not have happened in the run, and messages must
 * reach the event that distinguishes their order.
 */
#include "strategy/dpor.h"

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

/* f as it may be before e. */
static struct event expect_reversed(const struct dpor *d, const struct order_race *race)
{
	return event_expected_before(order_event(&d->order, race->first),
				     order_event(&d->order, race->second));
}

/* The reversed step goes before events that it came after. A poll does not find the message that it
 * took. */
static void add_reversed(struct dpor *d, const struct order_race *race)
{
	d->reversed = expect_reversed(d, race);
	if (event_polls(&d->reversed)) {
		d->reversed.flags |= EVENT_FAILED;
		event_clear_peer(&d->reversed);
	}
	*vec_push(&d->sequence) = &d->reversed;
}

bool dpor_was_withdrawn_timer(const struct dpor *d, uint32_t second)
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
bool dpor_may_change_others(const struct dpor *d, const struct order_race *race)
{
	const struct event *f = order_event(&d->order, race->second);

	return d->observes || event_did_less(f) || f->deadline ||
	       race->second >= d->order.events_len ||
	       event_is_redirected(order_event(&d->order, race->first), f);
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
	uint32_t end;

	if (race->second < trace->events_len)
		return false;
	end = order_withdrawal(&d->order, race->second);
	return end < trace->events_len && (i == end || order_before(&d->order, end, i));
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

/* Does the actor of event h, which took a lock, give it back by an event that does not depend on e? */
static bool is_given_back(const struct dpor *d, const struct trace *trace,
			  const struct order_race *race, uint32_t h)
{
	for (uint32_t u = h + 1; u < trace->events_len; u++)
		if (trace->events[u].actor == trace->events[h].actor &&
		    event_opened_door(&trace->events[u], order_event(&d->order, race->second)))
			return !order_before(&d->order, race->first, u);
	return false;
}

/* f met a signal instead of the lock that it waits for, or was withdrawn while it waited for the lock. Did an actor take the lock for good in event i,
 * or in an event that i needs? If f goes before the signal, it takes the lock, so event i cannot come
 * before it.
 *     A: kill B          e
 *     B: lock m          f, which met the signal
 *     C: lock m          before f or behind it: does not depend on f as it was
 * Test: tests/property/found/signal_before_other_exit.program. */
static bool is_behind_rival_lock(const struct dpor *d, const struct trace *trace,
				 const struct order_race *race, uint32_t i)
{
	const struct event *f = order_event(&d->order, race->second);
	struct event wanted;

	if (!event_is_interrupted(f) && race->second < trace->events_len)
		return false;
	wanted = event_as_announced(f);
	wanted.flags &= (uint8_t)~EVENT_TRY;
	for (uint32_t h = race->first + 1; h <= i; h++)
		if (event_locks_out(&trace->events[h], &wanted) &&
		    (h == i || order_before(&d->order, h, i)) &&
		    !is_given_back(d, trace, race, h))
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
	bool may_change = dpor_may_change_others(d, race);
	size_t before = 0;

	d->rest.len = d->undecided.len = 0;
	if (may_change)
		f = expect_reversed(d, race);
	for (uint32_t i = find_behind(d, trace, race); i < trace->events_len; i++) {
		bool is_undecided;

		if (order_is_after(&e, i) || is_behind_withdrawal(d, trace, race, i) ||
		    is_behind_rival_lock(d, trace, race, i) ||
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
 * those actors take the lock for good in event i, or in an event that i needs? For f to go before e
 * all of them must wait. */
static bool is_behind_lock(const struct dpor *d, const struct trace *trace,
			   const struct order_race *race, uint32_t i)
{
	const struct event *f = order_event(&d->order, race->second);

	if (!(f->flags & EVENT_BLOCKED) || !event_locks_out(&trace->events[race->first], f))
		return false;
	for (uint32_t h = race->first + 1; h <= i; h++)
		if (event_locks_out(&trace->events[h], f) &&
		    (h == i || order_before(&d->order, h, i)) &&
		    !is_given_back(d, trace, race, h))
			return true;
	return false;
}

/* Does the last event on the object that belongs to the reversal let f have it? Events beside which f
 * may have it do not count.
 *     A: waits at a barrier, and met a signal     B: arrives, which lets both go     B: leaves
 * Test: tests/property/found/barrier_left_before_signal.program. */
static bool is_open_at_last(const struct dpor *d, const struct trace *trace,
			    const struct order_race *race, const struct access *wanted)
{
	for (uint32_t i = trace->events_len; i-- > race->first + 1;) {
		const struct access *access =
			event_find_access(&trace->events[i], wanted->object);

		if (access && access_modes_conflict(access->mode, wanted->announced) &&
		    i != race->second && !order_before(&d->order, race->first, i))
			return access_mode_lets_go(access->mode, wanted->announced);
	}
	return false;
}

/* f waited for a lock or a semaphore and met the signal that e sent. Can it go before e, behind
 * events that do not depend on e? */
static bool goes_without_signal(const struct dpor *d, const struct trace *trace,
				const struct order_race *race)
{
	const struct event *f = &trace->events[race->second];
	struct dependence_view view = {f, true, d->order.observers};

	if (dependence_of(&trace->events[race->first], &view) != DEPENDENCE_OPENS)
		return false;
	for (uint32_t a = 0; a < f->access_len; a++)
		if (access_is_interrupted(&f->accesses[a]) &&
		    !is_open_at_last(d, trace, race, &f->accesses[a]))
			return false;
	return true;
}

bool dpor_next_interrupted(const struct dpor *d, const struct trace *trace,
			       struct order_race *race)
{
	for (; race->second < trace->events_len; race->second++, race->first = 0) {
		if (!event_was_kept_waiting(&trace->events[race->second]))
			continue;
		for (; race->first < race->second; race->first++)
			if (goes_without_signal(d, trace, race))
				return true;
	}
	return false;
}

/* Begins v: the events between e and f that do not depend on e. */
void dpor_begin_reversal(struct dpor *d, const struct trace *trace, const struct order_race *race,
			 enum reversal how)
{
	struct order_after e = order_after(&d->order, race->first);
	uint32_t place = order_place(&d->order, race->second);

	d->sequence.len = 0;
	for (uint32_t i = race->first + 1; i < place; i++)
		if (!order_is_after(&e, i) && !is_behind_lock(d, trace, race, i) &&
		    !is_behind_rival_lock(d, trace, race, i) &&
		    !(how == REVERSAL_EARLY && is_behind_rival(d, trace, race, i)))
			*vec_push(&d->sequence) = &trace->events[i];
	d->firm = d->sequence.len;
}

/* A race with a step that was withdrawn stays open: events behind the withdrawal, which differ from
 * run to run, may have to come before that step. So does a race whose second step may do more before
 * e than it did: an event behind f that depends on e in this run, and on f only as f may be before e,
 * may be independent of e in the next run, and then it may have to come before f.
 *     A: drop t           e
 *     B: drop t           f, which fails. Before e it depends on every other event.
 *     C: send x to A      behind e if A has polled before, else only before or behind f
 *
 * v has all events after e that do not depend on e, and f. These events will have the same effects
 * as in this run; f, without e before it, may do all that it announced. Events behind f are part
 * of v, because one of them may wake a sleeper, and without the event that sleeper would cover v.
 * If e ended the run it is added behind f: with one more step before the end of the run it is
 * another class. Not if f ends the actor of e: then e is not possible behind f. */
void dpor_build_reversal(struct dpor *d, const struct trace *trace, const struct order_race *race,
			 enum reversal how)
{
	const struct event *f = order_event(&d->order, race->second);
	size_t before = find_rest(d, trace, race, how);

	add_rest(d, trace, 0, before);
	add_reversed(d, race);
	d->firm++;
	d->stays_open = before || race->observer != ORDER_NO_EVENT || event_did_less(f) ||
			event_is_redirected(&trace->events[race->first], f) ||
			race->second >= trace->events_len;
	if (race->second >= trace->events_len && event_touches_all(&trace->events[race->first]) &&
	    !trace_event_ends(trace, f, trace->events[race->first].actor))
		*vec_push(&d->sequence) = &trace->events[race->first];
	d->kept = d->sequence.len;
	if (race->observer != ORDER_NO_EVENT)
		add_observation(d, trace, race);
	add_rest(d, trace, before, d->rest.len);
	if (race->observer == ORDER_NO_EVENT)
		d->kept = d->sequence.len;
}

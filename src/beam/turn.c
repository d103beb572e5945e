#include "beam/turn.h"

#include "base/hash.h"
#include "beam/conduct_parts.h"
#include "core/dependence.h"

/* A turn may consist of several waits: one state is kept, and replaced after twice as many waits
 * each time (Brent's way to find cycles). */
enum { WAITS_MAX = 256 };

/* ---- the state of a process ---- */

/* All that decides how p goes on after the wait, and what others could ask about it. Not the
 * mailbox: the receive takes none of the messages that have come, so without the turn they would be
 * there, too. */
static uint64_t hash_state(const struct process *p, uint64_t timeout_ns)
{
	uint64_t hash = hash_combine(standing_state(p), timeout_ns);

	hash = hash_combine(hash, p->ref_count + p->unique_count);
	hash = hash_combine(hash, p->group_leader);
	hash = hash_combine(hash, (uint64_t)(uintptr_t)p->fixations);
	return hash_combine(hash, p->priority);
}

/* ---- what a turn does ---- */

static bool is_timer(const struct event *event)
{
	return event->kind == EVENT_TIMER || event->kind == EVENT_IDLE_TIMER;
}

/* Time passes with each turn, so a question for the time is not a look, and that a sleep begins or
 * ends is one. A receive that takes nothing, because its time is over or because it does not wait, is
 * one, too. */
static bool is_look_at(const struct event *event, const struct access *access)
{
	if (access->object == OBJECT_THE_CLOCK)
		return access->mode == ACCESS_ADD ||
		       (event->kind == EVENT_SLEEP && access_mode_looks(access->mode));
	if (access->mode == ACCESS_POLL)
		return is_timer(event) || (event->flags & EVENT_FAILED);
	if (access->mode == ACCESS_TAKE && event->kind == EVENT_INSPECT)
		return true; /* only waits until its own signals have arrived */
	return access_mode_looks(access->mode);
}

/* Does the access only tell others that p took a step? */
static bool is_mark(const struct process *p, const struct access *access)
{
	return access->object == object_steps(p->pid) && access->mode == ACCESS_ADD;
}

/* The answer to a question comes by p's own mailbox, and the same step takes it. */
static bool is_answer(const struct process *p, const struct event *event,
		      const struct access *access)
{
	return event->kind == EVENT_INSPECT && access->object == object_mailbox(p->pid) &&
	       access->mode == ACCESS_SEND;
}

static bool is_look(const struct process *p, const struct event *event)
{
	for (uint32_t a = 0; a < event->access_len; a++)
		if (!is_look_at(event, &event->accesses[a]) && !is_mark(p, &event->accesses[a]) &&
		    !is_answer(p, event, &event->accesses[a]))
			return false;
	return event->access_len && !event_touches_all(event);
}

/* Is it a step of the process, or of the timer of its receive? */
static bool is_of(const struct event *event, uint32_t actor)
{
	return event->actor == actor ||
	       (is_timer(event) && event_owner(event) == actor);
}

/* Has another actor asked where p stands, after the turn had begun and before its last step? */
static bool was_seen(const struct conductor *c, const struct process *p, uint32_t from)
{
	bool has_begun = false, is_asked = false;

	for (size_t i = from; i < c->events.len; i++) {
		const struct event *event = &c->events.items[i];
		bool is_own = is_of(event, p->actor - 1);

		if (is_own && is_asked)
			return true;
		has_begun |= is_own;
		is_asked |= has_begun && !is_own && event_find_access(event, object_steps(p->pid));
	}
	return false;
}

static bool has_only_looked(const struct conductor *c, const struct process *p, uint32_t from)
{
	for (size_t i = from; i < c->events.len; i++)
		if (is_of(&c->events.items[i], p->actor - 1) && !is_look(p, &c->events.items[i]))
			return false;
	return !was_seen(c, p, from);
}

/* ---- who wakes it ---- */

/* Messages wake a process if one of its receives takes them (is_woken_by_message), as in the relation
 * by which the search reverses a message and a timeout. */
static bool changes(const struct event *did, const struct event *look)
{
	if (event_touches_all(did))
		return true;
	for (uint32_t a = 0; a < did->access_len; a++)
		for (uint32_t b = 0; b < look->access_len; b++)
			if (access_mode_looks(look->accesses[b].mode) &&
			    look->accesses[b].object != OBJECT_THE_CLOCK &&
			    access_conflict(&did->accesses[a], &look->accesses[b]))
				return true;
	return false;
}

static bool is_overtaken(const struct conductor *c, uint32_t actor, size_t by)
{
	const struct event *did = &c->events.items[by];
	const struct turn *turn = &c->slots.items[actor].turn;

	for (size_t i = turn->from; !is_of(did, actor) && i < by && i < turn->until; i++)
		if (is_of(&c->events.items[i], actor) && changes(did, &c->events.items[i]))
			return true;
	return false;
}

/* Would one of the receives of the void turn, all of which took nothing, take the message? */
static bool is_taken_by_turn(const struct conductor *c, const struct slot *slot, term content)
{
	const struct observation *o = &c->observation;
	const struct observed_receive *r;

	for (uint32_t n = slot->receives; n; n = r->next) {
		r = &o->receives.items[n - 1];
		if (o->nodes.items[r->node].event < slot->turn.from)
			return false;
		if (probe_then(&r->frame, content))
			return true;
	}
	return false;
}

/* The receives of the turn take none of the messages that were there when it began. */
static bool is_woken_by_message(const struct conductor *c, struct slot *slot)
{
	const struct mailbox *mailbox = &slot->process->mailbox;

	if (slot->match)
		return true;
	if (slot->turn.messages == mailbox->len)
		return false;
	slot->turn.messages = mailbox->len;
	for (const struct message *m = mailbox->first; m; m = m->next)
		if (is_taken_by_turn(c, slot, m->content))
			return true;
	return false;
}

/* ---- parking ---- */

static void park(struct conductor *c, uint32_t actor, const struct timer *timer)
{
	struct turn *turn = &c->slots.items[actor].turn;

	turn->is_parked = true;
	turn->is_woken = false;
	turn->deadline_ns = timer->deadline_ns;
	turn->messages = 0;
	turn->until = (uint32_t)c->events.len;
	c->void_turns++;
	for (size_t i = turn->from; i < c->events.len; i++) {
		if (is_of(&c->events.items[i], actor))
			c->events.items[i].flags |= EVENT_VOID;
		turn->is_woken |= is_overtaken(c, actor, i);
	}
	turn->is_woken |= is_woken_by_message(c, &c->slots.items[actor]);
}

static void release(struct conductor *c, struct turn *turn)
{
	turn->is_parked = turn->is_woken = false;
	c->void_turns--;
}

static void keep(struct conductor *c, struct turn *turn, uint64_t state)
{
	turn->state = state;
	turn->from = (uint32_t)c->events.len;
	turn->waits = 0;
}

/* The tracer of a process sees its steps. Files and programs outside change without a step. */
static bool may_be_void(const struct conductor *c, const struct process *p)
{
	return !p->trace_flags && !(c->vm->relied_on & (RELIED_ON_FILES | RELIED_ON_PROGRAMS |
							RELIED_ON_SOCKETS));
}

void turn_look(struct conductor *c, struct process *p, const struct timer *timer)
{
	uint32_t actor = p->actor - 1;
	struct turn *turn = &c->slots.items[actor].turn;
	uint64_t state = hash_state(p, timer->deadline_ns - c->vm->now_ns);

	if (turn->is_parked || !may_be_void(c, p))
		return;
	if (!turn->waits_max || !has_only_looked(c, p, turn->from)) {
		keep(c, turn, state);
		turn->waits_max = 1;
	} else if (state == turn->state) {
		park(c, actor, timer);
	} else if (++turn->waits == turn->waits_max) {
		keep(c, turn, state);
		if (turn->waits_max < WAITS_MAX)
			turn->waits_max *= 2;
	}
}

void turn_took(struct conductor *c)
{
	for (uint32_t i = 0; c->void_turns && i < c->slots.len; i++) {
		struct turn *turn = &c->slots.items[i].turn;

		if (turn->is_parked && !c->slots.items[i].process)
			turn->is_parked = false; /* it was ended; the turn stays void */
		else if (turn->is_parked && !turn->is_woken)
			turn->is_woken = is_overtaken(c, i, c->events.len - 1) ||
					 is_woken_by_message(c, &c->slots.items[i]);
	}
}

/* ---- going on ---- */

/* The slot of the process that a step of this slot lets go on. */
static const struct slot *find_owner(const struct conductor *c, const struct slot *slot)
{
	if (!slot->timer)
		return slot;
	return slot->timer->kind == TIMER_RECEIVE
		       ? &c->slots.items[event_owner(&slot->announced)] : NULL;
}

static bool is_named_next(const struct follower *f, const struct slot *slot)
{
	const struct decision *next = &f->schedule.decisions[f->next];

	return f->next < f->schedule.decisions_len && next->actor == slot->announced.actor &&
	       decision_matches(next, &slot->announced);
}

/* A sampler goes on with a process that was woken. */
bool turn_parks(const struct conductor *c, const struct slot *slot)
{
	const struct slot *owner = c->void_turns ? find_owner(c, slot) : NULL;

	if (!owner || !owner->turn.is_parked || owner->is_killed)
		return false;
	return !owner->turn.is_woken ||
	       !(c->follower.schedule.resumes || is_named_next(&c->follower, slot));
}

void turn_resume(struct conductor *c, uint32_t actor)
{
	const struct slot *owner = c->void_turns ? find_owner(c, &c->slots.items[actor]) : NULL;
	struct turn *turn;

	if (!owner || !owner->turn.is_parked || owner->is_killed)
		return;
	turn = &c->slots.items[owner - c->slots.items].turn;
	release(c, turn);
	turn->waits_max = 0;
}

void turn_pass_time(struct conductor *c, uint64_t deadline_ns)
{
	for (uint32_t i = 0; c->void_turns && i < c->slots.len; i++) {
		struct slot *slot = &c->slots.items[i];

		if (!slot->turn.is_parked || slot->turn.deadline_ns >= deadline_ns ||
		    !slot->process || !slot->process->receive_timer)
			continue;
		release(c, &slot->turn);
		slot->turn.from = (uint32_t)c->events.len;
		conduct_delay_timer(c, slot->process->receive_timer, deadline_ns);
	}
}

/* ---- the end of a run ---- */

static bool is_test_parked(const struct conductor *c)
{
	return c->vm->test && c->slots.items[c->vm->test->actor - 1].turn.is_parked;
}

enum trace_end turn_find_end(const struct conductor *c)
{
	for (uint32_t i = 0; c->void_turns && i < c->slots.len; i++)
		if (c->slots.items[i].turn.is_parked && c->slots.items[i].turn.is_woken)
			return END_PARKED;
	return c->void_turns && is_test_parked(c) ? END_SPIN : END_DONE;
}

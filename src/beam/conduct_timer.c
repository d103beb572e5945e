/* Timers as actors. */
#include "beam/conduct_parts.h"

#include <string.h>

#include "beam/turn.h"
#include "vm/exec/interp.h"
#include "vm/process/registry.h"

enum { NS_PER_MS = 1000000 };

static void add(struct event *event, uint64_t object, enum access_mode mode)
{
	event->accesses[event->access_len++] = (struct access){
		.object = object, .mode = (uint16_t)mode, .announced = (uint16_t)mode};
}

/* ---- sleeps ---- */

static bool is_transactions(const char *module)
{
	return strcmp(module, "mnesia_tm") == 0;
}

/* "receive after T -> … end": the process that waits stands at the instruction that waits. In a
 * receive with patterns it stands at the loop over the messages. */
static bool is_sleep(const struct timer *timer)
{
	const word *ip = timer->owner ? timer->owner->ip : NULL;

	return timer->kind == TIMER_RECEIVE && ip &&
	       *ip == (word)(uintptr_t)interp_labels[SPEC_wait_timeout];
}

/* Mnesia does not queue every transaction for a lock: one that could cause a deadlock sleeps for a random time,
 * which gets longer each time, and tries again. Each attempt changes a counter, so no turn is void, and sleeps
 * that may end at once would have no end. */
static bool retries(const struct conductor *c, const struct timer *timer)
{
	return c->options.timeouts_ms != UINT64_MAX && is_sleep(timer) &&
	       site_is_called_by_program(timer->owner, is_transactions);
}

/* Where all timers of several processes are the ends of short sleeps, and no process asks for the
 * time, each may fire at any moment: docs/architecture.md, "Sleeps". */
static bool is_free(const struct conductor *c, const struct slot *slot)
{
	return slot->wait == SLOT_TIMER && !objects_know(&c->objects, LEARNED_CLOCK) &&
	       is_sleep(slot->timer);
}

/* ---- announcing ---- */

/* It ends its owner's receive. */
static void announce_timeout(struct conductor *c, const struct timer *timer, struct event *event)
{
	announce_receive(&c->objects, timer->owner, event, ACCESS_POLL);
	event->flags = is_sleep(timer) ? EVENT_ENDS_SLEEP : 0;
	event_set_owner(event, timer->owner->actor - 1);
}

/* It sends. */
static void announce_message(struct conductor *c, const struct timer *timer, struct event *event)
{
	term to = timer->destination;

	event->access_len = 0;
	event_clear_peer(event);
	event->flags = 0;
	add(event, object_reference(&c->objects, timer->owner_value, timer->number), ACCESS_WRITE);
	if (term_is_atom(to)) {
		add(event, object_name(&c->objects, to), ACCESS_READ);
		to = registry_find(c->vm, to);
	}
	if (announce_is_of_system(c->vm, to))
		announce_wakes_system(&c->objects, announce_system_name(c->vm, to), event);
	else if (to != TERM_NONE && term_is_pid(to))
		add(event, object_mailbox(to), ACCESS_SEND);
}

static void announce_timer(struct conductor *c, struct slot *slot, uint32_t index)
{
	struct event *event = &slot->announced;

	if (slot->timer->kind == TIMER_RECEIVE)
		announce_timeout(c, slot->timer, event);
	else
		announce_message(c, slot->timer, event);
	event->actor = index;
	event->ordinal = slot->ordinal;
	event->kind = slot->wait == SLOT_TIMER ? EVENT_TIMER : EVENT_IDLE_TIMER;
	event->deadline = is_free(c, slot) ? 0
					   : (uint32_t)(slot->timer->deadline_ns / NS_PER_MS) + 1;
	add(event, OBJECT_THE_CLOCK, ACCESS_ADD);
}

void conduct_renew_timer(struct conductor *c, struct slot *slot)
{
	if (slot->timer->kind != TIMER_RECEIVE && term_is_atom(slot->timer->destination))
		announce_timer(c, slot, slot->announced.actor);
}

/* ---- which are armed ---- */

/* The step that made it comes before it. */
static void name_maker(struct conductor *c, const struct timer *timer, uint32_t index)
{
	struct event *last = c->events.len ? vec_last(&c->events) : NULL;

	if (last && last->kind == EVENT_CREATE && last->actor == timer->owner->actor - 1)
		event_set_created(last, index);
}

static bool is_armed(const struct conductor *c, uint32_t index)
{
	for (size_t i = 0; i < c->armed.len; i++)
		if (c->armed.items[i] == index)
			return true;
	return false;
}

/* A receive timer that was taken back belongs to the receive that went on. */
static uint32_t node_of_last_receive(struct conductor *c, uint32_t owner)
{
	uint32_t chain = c->slots.items[owner].receives;

	return chain ? c->observation.receives.items[chain - 1].node : UINT32_MAX;
}

/* The words of the verdict for a timer that fires only when no other actor can go. */
static uint64_t assumed_of(const struct slot *slot)
{
	return slot->is_retry ? ASSUMED_RETRIES : ASSUMED_IDLE_TIMERS;
}

static void disarm(struct conductor *c, struct slot *slot)
{
	uint32_t owner = event_owner(&slot->announced);

	if (slot->wait == SLOT_TIMER)
		conduct_withdraw(c, slot, owner != ACTOR_NONE ? node_of_last_receive(c, owner)
							     : UINT32_MAX);
	else if (slot->wait == SLOT_IDLE)
		c->assumed |= assumed_of(slot);
	slot->timer = NULL;
	conduct_set_wait(c, slot, SLOT_NONE);
}

static void learn_clock(struct conductor *c)
{
	if (c->has_short_timer && c->has_other_timers && (c->has_waits || c->objects.asks_time))
		objects_learn(&c->objects, LEARNED_CLOCK);
}

/* When one of several timers ends depends on when it was started: learn that. Timers of different
 * processes need not be there at the same time in this run; in another order they may be.
 *     A: receive after 10 ends      B: receive after 10       B may have begun before A's end */
static void note_owner(struct conductor *c, uint32_t owner, bool is_short, bool is_sleep)
{
	c->has_waits |= !is_short || !is_sleep;
	c->has_short_timer |= is_short;
	c->has_other_timers |= c->timer_owner && c->timer_owner != owner + 1;
	c->timer_owner = owner + 1;
	learn_clock(c);
}

static void arm(struct conductor *c, struct timer *timer)
{
	uint32_t nth = timer->kind == TIMER_RECEIVE ? 1 : (uint32_t)timer->number + 1;
	uint32_t index = conductor_actor(c, timer->owner->actor - 1, ACTOR_TIMER, nth);
	struct slot *slot = &c->slots.items[index];
	bool is_retry = retries(c, timer);
	bool is_short = !is_retry &&
			(timer->deadline_ns - c->vm->now_ns) / NS_PER_MS < c->options.timeouts_ms;

	/* The owner went on from one timed receive to the next in one step. */
	if (slot->timer)
		disarm(c, slot);
	note_owner(c, timer->owner->actor - 1, is_short, is_sleep(timer));
	timer->actor = index + 1;
	slot->timer = timer;
	slot->is_retry = is_retry;
	conduct_set_wait(c, slot, is_short ? SLOT_TIMER : SLOT_IDLE);
	slot->announced.site = timer->owner->ip ? (uint64_t)(uintptr_t)timer->owner->ip : 0;
	if (c->wants_places && timer->kind != TIMER_RECEIVE) /* the step that has started it */
		slot->announced.site =
			(uint64_t)(uintptr_t)c->slots.items[timer->owner->actor - 1].last_ip;
	announce_timer(c, slot, index);
	name_maker(c, timer, index);
	if (!is_armed(c, index)) /* one that has just fired still is */
		*vec_push(&c->armed) = index;
	if (timer->kind == TIMER_RECEIVE)
		turn_look(c, timer->owner, timer);
}

void conduct_delay_timer(struct conductor *c, struct timer *timer, uint64_t deadline_ns)
{
	timer_delay(c->vm, timer, deadline_ns);
	announce_timer(c, &c->slots.items[timer->actor - 1], timer->actor - 1);
}

void conduct_forgo_timeout(struct conductor *c, struct process *p, uint64_t timeout_ms,
			   uint32_t node)
{
	struct timer timer = {.kind = TIMER_RECEIVE, .owner = p,
			      .deadline_ns = c->vm->now_ns + timeout_ms * NS_PER_MS};
	struct slot ghost = {.timer = &timer, .wait = SLOT_TIMER};
	bool is_short = timeout_ms < c->options.timeouts_ms;
	uint32_t index;

	note_owner(c, p->actor - 1, is_short, false); /* in another order it would be armed */
	if (!is_short) {
		c->assumed |= ASSUMED_IDLE_TIMERS;
		return;
	}
	index = conductor_actor(c, p->actor - 1, ACTOR_TIMER, 1);
	ghost.ordinal = c->slots.items[index].ordinal;
	announce_timer(c, &ghost, index);
	conduct_withdraw(c, &ghost, node);
}

/* The same for several timers of one process. */
static void look_for_others(struct conductor *c)
{
	if (!c->has_waits)
		return;
	for (size_t i = 0; i < c->armed.len && c->armed.len > 1; i++)
		if (c->slots.items[c->armed.items[i]].wait == SLOT_TIMER)
			objects_learn(&c->objects, LEARNED_CLOCK);
}

void conduct_look_at_timers(struct conductor *c)
{
	const struct timer_queue *queue = &c->vm->timers;
	size_t kept = 0;

	learn_clock(c);
	if (queue->changes == c->timer_changes)
		return;
	c->timer_changes = queue->changes;
	for (size_t i = 0; i < queue->len; i++) {
		struct timer *timer = queue->heap[i];

		if (!timer->actor && is_actor(timer->owner))
			arm(c, timer);
		if (timer->actor)
			c->slots.items[timer->actor - 1].is_seen = true;
	}
	for (size_t i = 0; i < c->armed.len; i++) {
		struct slot *slot = &c->slots.items[c->armed.items[i]];

		if (slot->timer && slot->is_seen)
			c->armed.items[kept++] = c->armed.items[i];
		else if (slot->timer)
			disarm(c, slot);
		slot->is_seen = false;
	}
	c->armed.len = kept;
	look_for_others(c);
}

/* ---- firing ---- */

/* Is its owner still waiting for it? Not when the owner has a message to take. */
static bool is_waited_for(const struct conductor *c, const struct slot *slot)
{
	const struct slot *owner;

	if (slot->timer->kind != TIMER_RECEIVE)
		return true;
	owner = &c->slots.items[event_owner(&slot->announced)];
	return owner->wait == SLOT_RECEIVE && !owner->process->suspend_count;
}

/* Could it do something, if its time had come? The signals that its owner has sent itself come
 * first: they arrive when the owner begins to wait. */
static bool is_open(struct conductor *c, const struct slot *slot)
{
	return is_waited_for(c, slot) &&
	       (slot->timer->kind != TIMER_RECEIVE ||
		!conduct_must_look(c, &c->slots.items[event_owner(&slot->announced)]));
}

/* Does it end late, because its owner is suspended? On the real machine a timeout goes on meanwhile. */
static bool is_put_off(const struct conductor *c, const struct slot *slot)
{
	const struct slot *owner;

	if (slot->timer->kind != TIMER_RECEIVE)
		return false;
	owner = &c->slots.items[event_owner(&slot->announced)];
	return owner->wait == SLOT_RECEIVE && owner->process->suspend_count;
}

/* It ends with its first step of dying, which says that it reads the clock. */
static bool has_test_ended(const struct vm *vm)
{
	return !vm->test || vm->test->status == PROCESS_EXITING;
}

/* A timer that waits for its owner's own signals keeps later timers back all the same:
 *     P: monitor(process, nobody)      the DOWN arrives before the end of the wait, and the
 *     P: receive after 5 -> ok end     timer of 10 ms fires behind both.
 *     Q: send_after(10, …) */
uint64_t conduct_first_deadline(struct conductor *c)
{
	uint64_t first = UINT64_MAX;

	if (has_test_ended(c->vm) && !c->options.after_end)
		return 0;
	for (size_t i = 0; i < c->armed.len; i++) {
		const struct slot *slot = &c->slots.items[c->armed.items[i]];

		if (!slot->timer)
			continue;
		if (c->armed.len > 1 && is_put_off(c, slot))
			c->assumed |= ASSUMED_SUSPENDED; /* others may end before it */
		if (slot->timer->deadline_ns < first && is_waited_for(c, slot) && !turn_parks(c, slot))
			first = slot->timer->deadline_ns;
	}
	return first;
}

bool conduct_may_fire(struct conductor *c, const struct slot *slot, uint64_t first_deadline)
{
	if (!is_open(c, slot) || turn_parks(c, slot))
		return false;
	if (first_deadline && is_free(c, slot))
		return true;
	if (first_deadline && slot->timer->deadline_ns > first_deadline && slot->wait == SLOT_TIMER)
		c->assumed |= ASSUMED_PROMPT; /* a machine that stalls may be late with the first */
	return slot->timer->deadline_ns <= first_deadline;
}

/* The receive's own end is the timer's step: the process goes on past it. */
void conduct_fire(struct conductor *c, uint32_t actor)
{
	struct slot *slot = &c->slots.items[actor];
	struct timer *timer = slot->timer;
	struct process *owner = NULL;

	conduct_observe_lost(c, vec_last(&c->events),
			     timer->message ? timer->message->content : TERM_NONE, 0);
	if (slot->announced.deadline)
		turn_pass_time(c, timer->deadline_ns);
	slot->ordinal++;
	slot->timer = NULL;
	conduct_set_wait(c, slot, SLOT_NONE);
	if (timer->kind == TIMER_RECEIVE) {
		uint32_t index = event_owner(&slot->announced);

		owner = c->slots.items[index].process;
		observe_receive(&c->observation, owner, NULL, (uint32_t)c->events.len - 1,
				&c->slots.items[index].receives);
	}
	timer_fire(c->vm, timer);
	if (owner)
		conduct_settle(c, owner, conduct_vm_step(c, owner));
	else
		vm_serve(c->vm);
}

void conduct_delay_timers(struct conductor *c)
{
	const uint64_t all = ASSUMED_IDLE_TIMERS | ASSUMED_RETRIES;

	if ((c->assumed & all) == all || has_test_ended(c->vm))
		return;
	for (size_t i = 0; i < c->armed.len; i++) {
		const struct slot *slot = &c->slots.items[c->armed.items[i]];

		if (slot->timer && slot->wait == SLOT_IDLE && is_open(c, slot))
			c->assumed |= assumed_of(slot);
	}
}

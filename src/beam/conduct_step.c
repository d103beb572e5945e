/* Taking one step: the event is corrected to what will happen now, the machine takes the step, and
 * every actor that it touched is asked again. */
#include "beam/conduct_parts.h"

#include "beam/one_step.h"
#include "beam/ends.h"
#include "beam/turn.h"
#include "beam/waits.h"
#include "core/dependence.h"
#include "vm/code/code.h"
#include "vm/exec/interp.h"
#include "vm/process/boot.h"
#include "vm/process/callback.h"
#include "vm/process/mailbox.h"
#include "vm/process/registry.h"
#include "vm/process/signal.h"
#include "vm/process/system.h"

static void note_receive(struct slot *slot)
{
	const word *site = slot->process->ip;

	slot->rounds = site == slot->last_receive ? slot->rounds + 1 : 1;
	slot->last_receive = site;
}

static void prepare_receive(struct conductor *c, struct slot *slot, struct event *did)
{
	struct process *p = slot->process;
	uint32_t node = observe_receive(&c->observation, p, slot->match,
					(uint32_t)c->events.len - 1, &slot->receives);

	if (!slot->match)
		did->flags |= EVENT_FAILED;
	else if (event_polls(did))
		conduct_name_sender(c, slot->match, did);
	note_receive(slot);
	if (slot->timeout_ms && !p->receive_timer)
		conduct_forgo_timeout(c, p, slot->timeout_ms, node); /* may move the slots */
}

/* Is the reason of its end settled, whatever signals come? */
static bool is_ending(const struct conductor *c, uint32_t actor)
{
	const struct slot *slot = &c->slots.items[actor];

	return !slot->process || slot->is_killed || slot->process->status == PROCESS_EXITING;
}

/* A process that a signal has ended is dead for every process that asks, which does not see its
 * messages. */
static void look_at_messages(struct conductor *c, const struct event *did)
{
	for (uint32_t a = 0; a < did->access_len; a++) {
		struct process *of = NULL;

		if (did->accesses[a].mode == ACCESS_LOOK)
			of = process_find(c->vm, pid_make(OBJECT_NAME_OF(did->accesses[a].object)));
		if (of && is_actor(of) && !slot_of(c, of)->is_killed)
			observe_look(&c->observation, of, (uint32_t)c->events.len - 1);
	}
}

/* The last receive of the chain that came before a step (relation.lost_since). */
static uint32_t receives_until(const struct conductor *c, uint32_t receives, uint32_t lost_since)
{
	const struct observation *o = &c->observation;

	while (receives &&
	       o->nodes.items[o->receives.items[receives - 1].node].event + 1 >= lost_since)
		receives = o->receives.items[receives - 1].next;
	return receives;
}

/* Had the alias of the message ended before? Then no receive behind the end of the alias could have taken
 * the message, and the receives before that end are before the message anyway, because both touch the
 * alias. So the message is lost for every receive, whether its receiver has ended or not.
 *     P: receive m -> … after 10 -> unalias(R), receive m -> … after 0 -> … end end
 *     A: R ! m      behind unalias; does not depend on the poll, also where P has ended
 * Test: gaps late_replies. */
static bool is_behind_alias(const struct conductor *c, const struct event *did)
{
	for (size_t i = 0; i + 1 < c->events.len; i++) {
		const struct event *event = &c->events.items[i];

		if (event->kind != EVENT_DEMONITOR && event->kind != EVENT_SEND)
			continue;
		for (uint32_t a = 0; a < event->access_len; a++)
			if (event->accesses[a].mode == ACCESS_WRITE &&
			    OBJECT_CLASS(event->accesses[a].object) == OBJECT_TERM &&
			    event_find_access(did, event->accesses[a].object))
				return true;
	}
	return false;
}

void conduct_observe_lost(struct conductor *c, const struct event *did, term content,
			  uint32_t lost_since)
{
	for (uint32_t a = 0; a < did->access_len; a++) {
		uint64_t object = did->accesses[a].object;
		const struct process *to;
		uint32_t actor, receives;

		if (did->accesses[a].mode != ACCESS_SEND)
			continue;
		to = process_find(c->vm, pid_make(OBJECT_NAME_OF(object)));
		if (to && to->status != PROCESS_EXITING && !lost_since)
			continue;
		actor = find_actor(c, object);
		receives = actor == ACTOR_NONE ? 0 : c->slots.items[actor].receives;
		if (lost_since)
			receives = receives_until(c, receives, lost_since);
		if (receives && !is_behind_alias(c, did))
			observe_lost(&c->observation, content, (uint32_t)c->events.len - 1, object,
				     receives);
	}
}

/* A step of dying: a process that does not get the signal could have got it earlier. */
static void observe_last_word(struct conductor *c, const struct process *p, const struct event *did)
{
	struct message *message = signal_last_word(p);
	const struct relation *relation;

	if (!message)
		return;
	relation = signal_exit_relation(p);
	conduct_observe_lost(c, did, message->content, relation->peer ? 0
						       : relation->lost_since ? relation->lost_since
									      : UINT32_MAX);
	message_free(message);
}

/* An exit signal to a process that trapped exits and has ended is a message that it could have got
 * earlier; other processes ignore one that does not end them. */
static void observe_exit_signal(struct conductor *c, const struct process *p,
				const struct event *did)
{
	term to = p->announced.args[0];
	term reason = p->announced.args_len > 1 ? p->announced.args[1] : A_kill;
	const struct process *receiver = process_find(c->vm, to);
	struct message *message;

	if (!(receiver ? receiver->trap_exit : conduct_has_trapped(c, object_process(to))))
		return;
	message = signal_make_exit(p->pid, reason);
	conduct_observe_lost(c, did, message->content, 0);
	message_free(message);
}

/* The number of the process that this step creates comes from the schedule if that has one. */
static void number_child(struct conductor *c, struct slot *slot)
{
	uint32_t left_out = follower_child(&c->follower, slot->children) - slot->children - 1;

	slot->children += left_out;
	slot->process->child_count += left_out;
}

/* The actor to which p is about to send a request, plus one; 0 when p sends no request. */
static uint32_t find_asked(struct conductor *c, struct process *p)
{
	term to = p->announced.effect == EFFECT_SEND ? p->announced.args[0] : NIL;

	if (term_is_atom(to))
		to = registry_find(c->vm, to);
	if (to == TERM_NONE || !term_is_pid(to) || !waits_is_request(p, p->announced.args[1]))
		return 0;
	return find_actor(c, object_process(to)) + 1; /* none: 0 */
}

/* The exit signal comes too late to end its receiver. It does less than it announced: it needs to
 * come after the signal that ended the receiver, and changes nothing.
 *     A: exit(P, kill)   B: exit(P, kill)   C: exit(P, kill)   B and C do not depend on each
 *                                                              other, and both depend on A. */
static void weaken_late_signal(struct event *did)
{
	did->flags |= EVENT_FAILED;
	for (uint32_t a = 0; a < did->access_len; a++)
		if (did->accesses[a].mode == ACCESS_STOP ||
		    OBJECT_CLASS(did->accesses[a].object) == OBJECT_SIGNALS)
			did->accesses[a].mode = ACCESS_USE;
}

/* Records how other processes could notice the step that p is about to take, now or had the step
 * come earlier. */
static void observe_step(struct conductor *c, const struct process *p, struct event *did)
{
	bool is_signal = did->kind == EVENT_SEND || did->kind == EVENT_EXIT_SIGNAL;

	if (event_exit_receiver(did) != ACTOR_NONE && is_ending(c, event_exit_receiver(did)))
		weaken_late_signal(did);
	if (event_exit_receiver(did) != ACTOR_NONE &&
	    c->slots.items[event_exit_receiver(did)].is_killed)
		did->flags |= EVENT_OVERTAKEN;
	if (did->kind == EVENT_INSPECT)
		look_at_messages(c, did);
	if (p->status == PROCESS_EXITING && is_signal) {
		ends_note_news(c, p);
		observe_last_word(c, p, did);
		return;
	}
	if (p->announced.effect == EFFECT_EXIT_SIGNAL && term_is_pid(p->announced.args[0]))
		observe_exit_signal(c, p, did);
	else
		conduct_observe_lost(c, did, p->announced.effect == EFFECT_SEND
						     ? p->announced.args[1] : TERM_NONE, 0);
}

/* Records the assumptions that the step relies on. */
static void note_reliance(struct conductor *c, struct process *p)
{
	struct code_place place;

	if (announce_goes_through(p))
		c->assumed |= ASSUMED_TABLES;
	if (!announce_reads_clock(p))
		return;
	/* The module rand takes its seed from the clock if it is not given one. */
	c->assumed |= p->ip && code_find_place(p->ip, &place) && place.module == A_rand
			      ? ASSUMED_CHANCE : ASSUMED_CLOCK;
}

static void begin_end(struct conductor *c, struct process *p, struct event *did)
{
	slot_of(c, p)->has_trapped = p->trap_exit;
	ends_add_death(c, p, did);
}

static bool was_ended_by_signal(const struct slot *slot)
{
	return slot->is_killed || slot->has_ended_itself;
}

/* p asks about a process that a signal has ended. Whether that process has begun to die does not
 * matter: then all orders of the two steps teach the same. */
static void note_death(struct conductor *c, const struct process *p)
{
	term asked = announce_asked(p);
	uint32_t actor = asked == TERM_NONE ? ACTOR_NONE : find_actor(c, object_process(asked));

	if (actor != ACTOR_NONE && asked != p->pid && was_ended_by_signal(&c->slots.items[actor]) &&
	    (objects_know(&c->objects, LEARNED_NAMES) ||
	     objects_know(&c->objects, LEARNED_PROCESSES)))
		objects_learn(&c->objects, LEARNED_DEATHS);
}

static void take_process_step(struct conductor *c, uint32_t actor, struct event *did)
{
	struct slot *slot = &c->slots.items[actor];
	struct process *p = slot->process;
	enum step_end end;

	if (did->kind == EVENT_SPAWN)
		number_child(c, slot);
	if (did->kind == EVENT_SLEEP) {
		slot->ordinal++;
		conduct_begin_waiting(c, p);
		return;
	}
	standing_note(&c->standing, p, slot->match, did);
	note_reliance(c, p);
	if (did->kind == EVENT_RECEIVE && conduct_must_look(c, slot))
		conduct_take_own(c, p);
	if (did->kind == EVENT_RECEIVE && slot->wait != SLOT_QUEUED)
		prepare_receive(c, slot, did);
	else if (slot->wait == SLOT_SETTLE)
		conduct_weaken_question(c, p, did);
	else if (did->kind == EVENT_FINISH)
		begin_end(c, p, did);
	else if (did->kind != EVENT_RECEIVE)
		announce_outcome(p, did);
	observe_step(c, p, did);
	slot = &c->slots.items[actor];
	slot->asked = did->kind == EVENT_SEND ? find_asked(c, p) : 0;
	slot->match = NULL;
	slot->ordinal++;
	note_death(c, p);
	if (c->options.atomic)
		one_step_begin(c->options.atomic, p);
	end = conduct_vm_step(c, p);
	while (c->options.atomic && one_step_goes_on(c, p, end, did))
		end = conduct_vm_step(c, p);
	if (!c->is_over)
		conduct_settle(c, p, end);
}

static void announce_again(struct conductor *c, struct slot *slot)
{
	struct event before = slot->announced;

	if (!conduct_announce(c, slot->process, &slot->announced))
		slot->announced = before;
}

/* May other processes have changed the objects of the step since it was announced? A name may belong
 * to another process now, a dying process may be watched by fewer, a timer may have fired. */
static bool may_be_outdated(const struct process *p, const struct event *event)
{
	switch (p->announced.effect) {
	case EFFECT_EXIT_STEP: case EFFECT_DEMONITOR: case EFFECT_EXIT_SIGNAL: case EFFECT_ETS_DROP:
	case EFFECT_TIMER_CANCEL:
		return true;
	default:
		return event->access_len && OBJECT_CLASS(event->accesses[0].object) == OBJECT_NAME;
	}
}

/* Announces the event again before it is taken. A step that has nothing left to do stays as it was
 * announced. */
static void renew(struct conductor *c, struct slot *slot)
{
	const struct process *p = slot->process;
	const struct event *event = &slot->announced;

	if (slot->timer)
		conduct_renew_timer(c, slot);
	else if (slot->transit.len)
		conduct_renew_channel(c, slot);
	if (!p || event->kind == EVENT_RECEIVE || event->kind == EVENT_FINISH ||
	    slot->announced_at + 1 == c->events.len) /* this step is the next */
		return;
	if (may_be_outdated(p, event))
		announce_again(c, slot);
}

/* The process has made others. If its next step is to end one of them, that one has only now become an actor,
 * which the step names. */
static void renew_parent(struct conductor *c, struct slot *slot)
{
	if (slot->process && slot->announced.kind == EVENT_EXIT_SIGNAL &&
	    slot->process->announced.effect == EFFECT_EXIT_SIGNAL)
		announce_again(c, slot);
}

/* The step has woken a system process without announcing it: then nobody has ordered the step among
 * others that do so. */
static void check_system_work(struct conductor *c, const struct event *did, bool is_booted)
{
	uint32_t work = c->vm->system_work;
	bool is_announced = event_touches_all(did);

	c->vm->system_work = 0;
	if (work & SYSTEM_RAN && is_booted)
		c->assumed |= ASSUMED_AT_ONCE;
	if (work & SYSTEM_REACHED)
		objects_learn(&c->objects, learned_system(c->vm->system_first));
	for (uint32_t a = 0; a < did->access_len; a++)
		is_announced |= did->accesses[a].object == OBJECT_THE_SYSTEM &&
				did->accesses[a].mode == ACCESS_WRITE;
	if (work && !is_announced && is_booted && !c->options.atomic)
		conduct_lose(c, "a system process ran in a step that did not announce it");
}

void conduct_lose(struct conductor *c, const char *why)
{
	if (!c->lost)
		c->lost = why;
}

/* The step is complete, so the run can end. */
static void give_up(struct conductor *c)
{
	if (!c->lost || c->is_over)
		return;
	c->is_over = true;
	c->end = END_LOST;
	err_set(&c->vm->err, "%s: a fault of fermata", c->lost);
}

/* A server receives in a library and then calls a function of the program: the clause of that function is the place of
 * the receive. */
void conduct_place_receive(struct conductor *c, struct slot *slot)
{
	struct process *p = slot->process;

	if (slot->unplaced && p && p->callback.entry) {
		if (p->callback.is_sought && p->ip != interp_process_end)
			p->callback.at = callback_place(p, p->ip, p->cp, p->e);
		c->events.items[slot->unplaced - 1].site =
			site_of_clause(&c->sites, p->callback.entry, p->callback.at);
	}
	if (slot->unplaced && p)
		p->callback.is_sought = false;
	slot->unplaced = 0;
}

/* The place of a step, for a report. */
static void place_step(struct conductor *c, struct slot *slot, uint32_t index)
{
	struct process *p = slot->process;
	const word *at = site_of_own_code(p);

	conduct_place_receive(c, slot);
	if (slot->announced.kind == EVENT_RECEIVE && slot->match && !site_is_own_code(c->vm, at)) {
		slot->unplaced = index + 1;
		callback_begin(p);
	}
	slot->announced.site = (uint64_t)(uintptr_t)at;
}

void conduct_take_step(struct conductor *c, uint32_t actor)
{
	struct slot *slot = &c->slots.items[actor];
	uint32_t index = (uint32_t)c->events.len, created;
	struct event *did = vec_push(&c->events);
	bool is_booted = boot_is_done(c->vm);

	renew(c, slot);
	if (c->wants_places)
		*vec_push(&c->descriptions.sites) = slot->announced.site;
	if (slot->process && slot->process->ip != interp_process_end) {
		const struct process *p = slot->process;
		const word *last = site_later(p, slot->last_ip, slot->last_step);

		slot->last_ip = p->ip;
		slot->last_step = index;
		if (slot->announced.kind == EVENT_EXIT) /* part of the finding's fingerprint */
			slot->announced.site = site_of_address(
				&c->sites, (uint64_t)(uintptr_t)site_of_own_code_since(p, last));
		else if (c->wants_places)
			place_step(c, slot, index);
	} else if (c->wants_places && slot->process) {
		conduct_place_receive(c, slot);
	}
	if (c->wants_places && slot->timer && slot->timer->kind == TIMER_RECEIVE)
		slot->announced.site = (uint64_t)(uintptr_t)site_of_own_code(slot->timer->owner);
	if (c->options.watch)
		watch_step(c->options.watch, &c->objects, slot->process, &slot->announced);
	*did = slot->announced;
	event_fix_announced(did);
	if (c->wants_places)
		describe_step(c, &c->descriptions, slot, did);
	c->vm->step = index + 1;
	if (slot->wait != SLOT_IDLE)
		conduct_delay_timers(c);
	turn_resume(c, actor);
	if (slot->timer)
		conduct_fire(c, actor);
	else if (slot->transit.len)
		conduct_deliver(c, actor);
	else
		take_process_step(c, actor, did);
	created = conduct_add_new(c);
	if (created != ACTOR_NONE)
		renew_parent(c, &c->slots.items[actor]);
	if (c->events.items[index].kind == EVENT_SPAWN ||
	    (created != ACTOR_NONE && c->events.items[index].kind == EVENT_SEND))
		event_set_created(&c->events.items[index], created);
	if (c->wants_places && created != ACTOR_NONE && c->slots.items[created].process)
		describe_created(c, &c->descriptions, c->slots.items[created].process);
	conduct_take_transit(c);
	conduct_take_news(c);
	conduct_look_at_timers(c);
	turn_took(c);
	check_system_work(c, &c->events.items[index], is_booted);
	give_up(c);
}

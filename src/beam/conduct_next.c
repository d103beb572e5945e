/* Finds and announces the next event of a process. */
#include "beam/conduct_parts.h"

#include "base/mem.h"
#include "beam/describe_name.h"
#include "core/dependence.h"
#include "vm/process/signal.h"
#include "vm/process/timer.h"

/* A step that makes more calls counts as one that does not come back: their number, and not the
 * time that they take, so that test and replay agree on every machine. A turn is some 4000 calls,
 * and the machine makes about 20 million calls in a second. */
enum { TURNS_PER_SECOND = 5461, CALLS_PER_TURN = 4000, SILENT_PER_SECOND = 333333 };

uint64_t conduct_step_turns(const struct conduct_options *options)
{
	return (uint64_t)(options->step_seconds * TURNS_PER_SECOND) + 1;
}

static bool can_another_go(struct conductor *c, uint32_t actor)
{
	uint64_t *set = mem_zalloc(c->words * sizeof(*set));
	bool any = false;

	conduct_find_enabled(c, set);
	bitset_foreach(i, set, c->words)
		any = any || i != actor;
	mem_free(set);
	return any;
}

/* The step of p takes too long: a hang if no other process can go on. */
static void end_endless(struct conductor *c, struct process *p)
{
	double calls = (double)conduct_step_turns(&c->options) * CALLS_PER_TURN;
	struct target_frame frame;
	char name[ACTOR_NAME_MAX] = "a process";

	c->is_over = true;
	c->endless_actor = p->actor - 1;
	if (c->wants_places) /* it may be the first step of the process */
		describe_name(c, &c->descriptions, p);
	c->endless_site = site_of_address(&c->sites, (uint64_t)(uintptr_t)site_of_own_code(p));
	if (c->endless_actor < c->actors.len)
		actor_name(c->actors.items, c->endless_actor, name);
	site_describe(&c->sites, c->endless_site, &frame);
	c->end = can_another_go(c, c->endless_actor) ? END_LOST : END_SILENT;
	if (c->end == END_SILENT)
		err_set(&c->vm->err, "a step of %s did not come back within %.0f million calls "
			"(--step-time %g)", name, calls / 1e6, c->options.step_seconds);
	else
		err_set(&c->vm->err, "a step of %s did not come back within %.0f million calls "
			"(--step-time %g): it is in %s at %s:%u; nobody knows whether it would end",
			name, calls / 1e6, c->options.step_seconds, frame.function,
			frame.file ? frame.file : "?", frame.line);
}

enum step_end conduct_vm_step(struct conductor *c, struct process *p)
{
	enum step_end end = vm_step(c->vm, p);

	if (c->vm->end == VM_DONE)
		c->vm->end = VM_RUNNING; /* the others go on */
	if (c->vm->end != VM_RUNNING) {
		c->is_over = true;
		c->end = c->vm->end != VM_HALTED ? END_LOST
			 : c->vm->halt_status || c->options.is_suite ? END_EXIT
								     : END_DONE;
		if (c->vm->end == VM_ENDLESS)
			end_endless(c, p);
		return STEP_STOPPED;
	}
	return end;
}

/* ---- receives ---- */

/* The first message from `from` on that the receive takes, or NULL. */
static struct message *find_match(struct process *p, struct message *from)
{
	for (struct message *m = from; m; m = m->next)
		if (probe_now(p, m->content) == STEP_MATCHED)
			return m;
	return NULL;
}

void conduct_name_sender(const struct conductor *c, const struct message *message,
			 struct event *receive)
{
	const struct event *sender;

	if (!message || !message->origin || message->origin > c->events.len)
		return;
	sender = &c->events.items[message->origin - 1];
	event_set_feeder(receive, sender->actor, sender->ordinal);
}

/* Answers of the group leader, of ports and of system processes (system.h), those that a process
 * gets from its own channel before it waits (conduct_take_own), and exit signals that it ignores. */
static bool is_answer(const struct conductor *c, const struct process *p, const struct message *m)
{
	return signal_is_exit(m) ||
	       (term_is_pid(m->sender) &&
		find_actor(c, object_process(m->sender)) == ACTOR_NONE) ||
	       (m->origin < c->events.len && c->events.items[m->origin - 1].actor == actor_of(p));
}

/* Every other message belongs to a step that announced it: else nobody has ordered it among the
 * messages of its receiver. */
static void check_announced(struct conductor *c, const struct process *p, const struct message *m)
{
	const struct event *sent = &c->events.items[m->origin - 1];
	uint64_t mailbox = object_mailbox(p->pid);
	bool is_announced = event_touches_all(sent) || is_answer(c, p, m);

	for (uint32_t a = 0; a < sent->access_len; a++)
		is_announced |= sent->accesses[a].object == mailbox;
	if (!is_announced)
		conduct_lose(c, "a message came by a step that did not announce it");
}

static void observe_from(struct conductor *c, struct process *p, struct slot *slot,
			 struct message *last)
{
	struct message *m = last;

	while (m && !m->observed && m->prev && !m->prev->observed)
		m = m->prev;
	for (; m; m = m->next)
		if (!m->observed && m->origin) {
			check_announced(c, p, m);
			observe_message(&c->observation, m, object_mailbox(p->pid), slot->receives);
		}
}

/* Records the messages that have come, and those that a process leaves untaken when it ends: they
 * could have come before its last receive. */
static void observe_news(struct conductor *c, struct process *p, struct slot *slot)
{
	observe_from(c, p, slot, p->mailbox.last);
	if (p->signals.last)
		observe_from(c, p, slot, p->signals.last);
}

void conduct_look_again(struct conductor *c, struct process *p)
{
	struct slot *slot = slot_of(c, p);

	observe_news(c, p, slot);
	slot->match = find_match(p, p->mailbox.save);
}

/* p has come to a receive. If no message matches, p goes through all of them now, which no other
 * process can notice, starts its timer and waits. Where the moment at which the timer starts
 * matters, starting it is a step of its own. */
static void enter_receive(struct conductor *c, struct process *p, bool may_wait)
{
	struct slot *slot = slot_of(c, p);
	enum step_end end;

	observe_news(c, p, slot);
	slot->match = find_match(p, p->mailbox.save);
	end = probe_now(p, TERM_NONE);
	conduct_set_wait(c, slot, SLOT_READY);
	slot->timeout_ms = end == STEP_SLEEPING ? probe_time_ms() : 0;
	if (c->options.count_blocks && !may_wait && !slot->match && end != STEP_TIMEOUT) {
		announce_receive(&c->objects, p, &slot->announced, ACCESS_LOOK);
		slot->announced.kind = EVENT_SLEEP;
		return;
	}
	if (end == STEP_SLEEPING && !may_wait && objects_know(&c->objects, LEARNED_CLOCK)) {
		slot->match = NULL;
		announce_waiting(&c->objects, p, &slot->announced);
		return;
	}
	/* With after 0 the step may go either way. */
	announce_receive(&c->objects, p, &slot->announced,
			 end == STEP_TIMEOUT ? ACCESS_POLL : ACCESS_RECV);
	if (end != STEP_TIMEOUT)
		conduct_name_sender(c, slot->match, &slot->announced);
	if (end == STEP_TIMEOUT || slot->match)
		return;
	conduct_set_wait(c, slot, SLOT_RECEIVE);
	conduct_vm_step(c, p);
}

void conduct_begin_waiting(struct conductor *c, struct process *p)
{
	slot_of(c, p)->announced.ordinal = slot_of(c, p)->ordinal;
	enter_receive(c, p, true);
}

/* ---- signals ---- */

/* The receive timer is withdrawn now, not when p takes its first step of dying. */
static void die_of_signal(struct conductor *c, struct process *p, struct slot *slot)
{
	if (c->events.len)
		observe_stop(&c->observation, p, (uint32_t)c->events.len - 1, &slot->receives,
			     slot->wait == SLOT_RECEIVE);
	timer_cancel_receive(p); /* what could have come instead */
	signals_take(p);
	p->announced = (struct announced){.effect = EFFECT_EXIT_STEP, .args = p->saved_x};
	p->status = PROCESS_RUNNABLE;
	slot->is_killed = true;
	slot->announced.ordinal = slot->ordinal;
	conduct_announce(c, p, &slot->announced);
	conduct_set_wait(c, slot, SLOT_READY);
}

bool conduct_must_settle(struct conductor *c, const struct process *p)
{
	term pid = announce_asked(p);

	/* Also to one that has ended, where they do nothing: its end must not open a door. */
	return pid != p->pid && conduct_is_underway(c, p->pid, pid);
}

void conduct_weaken_question(struct conductor *c, const struct process *p, struct event *question)
{
	uint64_t object = object_process(announce_asked(p));
	uint32_t actor = find_actor(c, object);

	if (actor == ACTOR_NONE || !c->slots.items[actor].is_killed ||
	    event_touches_all(question) ||
	    (objects_know(&c->objects, LEARNED_DEATHS) && objects_know(&c->objects, LEARNED_NAMES)))
		return;
	for (uint32_t a = 0; a < question->access_len; a++)
		if (question->accesses[a].object == object)
			question->accesses[a].mode = ACCESS_RECV;
}

/* ---- going on ---- */

void conduct_settle(struct conductor *c, struct process *p, enum step_end end)
{
	uint32_t actor = p->actor - 1, silent = 0;
	struct slot *slot;

	for (; !c->is_over; end = conduct_vm_step(c, p)) {
		if (end == STEP_ENDED) {
			c->slots.items[actor].process = NULL;
			conduct_set_wait(c, &c->slots.items[actor], SLOT_NONE);
			return;
		}
		slot = &c->slots.items[actor];
		slot->announced.ordinal = slot->ordinal;
		if (end != STEP_YIELDED && p->status != PROCESS_EXITING && signals_settle(p)) {
			die_of_signal(c, p, slot);
			return;
		}
		/* With a timer: a receive without patterns, timer:sleep. */
		if (end == STEP_WAITING) {
			announce_receive(&c->objects, p, &slot->announced,
					 p->receive_timer ? ACCESS_RECV : ACCESS_LOOK);
			conduct_set_wait(c, slot, p->receive_timer ? SLOT_RECEIVE : SLOT_QUEUED);
			return;
		}
		if (end == STEP_VISIBLE && p->announced.effect == EFFECT_RECEIVE &&
		    !p->announced.bif) {
			enter_receive(c, p, false);
			return;
		}
		slot->announced_at = (uint32_t)c->events.len;
		slot->has_ended_itself |= p->is_doomed;
		if (end == STEP_VISIBLE && conduct_announce(c, p, &slot->announced)) {
			conduct_set_wait(c, slot, announce_asked(p) != TERM_NONE ? SLOT_SETTLE
										: SLOT_READY);
			return;
		}
		if (++silent > c->options.step_seconds * SILENT_PER_SECOND)
			end_endless(c, p);
	}
}

/* ---- what a step did to others ---- */

void conduct_withdraw(struct conductor *c, const struct slot *slot, uint32_t node)
{
	*vec_push(&c->withdrawn) = (struct withdrawn){.event = slot->announced,
						     .step = (uint32_t)c->events.len - 1};
	event_fix_announced(&vec_last(&c->withdrawn)->event);
	*vec_push(&c->withdrawn_nodes) = node;
}

/* p is ended before it could take the step it has announced. */
static void withdraw_step(struct conductor *c, const struct process *p, struct slot *slot)
{
	if (slot->wait == SLOT_SETTLE) {
		conduct_weaken_question(c, p, &slot->announced);
		if (conduct_must_settle(c, p)) {
			slot->hidden = slot->announced;
			slot->hidden_pid = announce_asked(p);
			slot->hidden_step = (uint32_t)c->events.len - 1;
			slot->hidden_left = conduct_count_underway(c, p->pid, slot->hidden_pid);
			return;
		}
	}
	if (slot->wait != SLOT_SETTLE && slot->wait != SLOT_READY)
		return;
	conduct_withdraw(c, slot, UINT32_MAX);
	if (p->suspend_count)
		conduct_keep_holds(&vec_last(&c->withdrawn)->event);
}

static void take_news(struct conductor *c, struct process *p)
{
	struct slot *slot;

	if (!is_actor(p))
		return;
	slot = slot_of(c, p);
	if (slot->process != p)
		return;
	if (p->status != PROCESS_EXITING && !slot->is_killed && signals_settle(p)) {
		const struct event *last = vec_last(&c->events);

		withdraw_step(c, p, slot);
		die_of_signal(c, p, slot);
		/* A system process that the step woke may have ended p, too. */
		if (last->kind == EVENT_DELIVER ||
		    (event_touches_all(last) && event_exit_receiver(last) == ACTOR_NONE))
			event_set_feeder(&slot->announced, last->actor, last->ordinal);
		return;
	}
	observe_news(c, p, slot);
	if (slot->wait == SLOT_RECEIVE) {
		slot->match = find_match(p, p->mailbox.save);
		if (slot->match) {
			p->is_ready = true;
			conduct_name_sender(c, slot->match, &slot->announced);
			conduct_set_wait(c, slot, SLOT_READY);
		}
	} else if (slot->wait == SLOT_READY && !slot->match &&
		   slot->announced.kind == EVENT_RECEIVE) {
		slot->match = find_match(p, p->mailbox.save); /* after 0 */
	} else if (c->options.count_blocks && slot->announced.kind == EVENT_SLEEP) {
		enter_receive(c, p, false); /* maybe it need not wait any more */
	}
}

void conduct_take_news(struct conductor *c)
{
	while (c->vm->news) {
		struct process *p = c->vm->news;

		c->vm->news = p->news_next;
		p->has_news = false;
		take_news(c, p);
	}
}

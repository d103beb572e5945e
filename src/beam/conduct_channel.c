/* Channels: with asynchronous delivery each ordered pair of processes has an actor that delivers
 * the next signal of the one to the other when it likes. */
#include "beam/conduct_parts.h"

#include "beam/ends.h"
#include "vm/process/mailbox.h"
#include "vm/process/signal.h"
#include "vm/terms/atom.h"

static void add(struct event *event, uint64_t object, enum access_mode mode)
{
	event->accesses[event->access_len++] = (struct access){
		.object = object, .mode = (uint16_t)mode, .announced = (uint16_t)mode};
}

static bool has_way(const struct conductor *c, const struct message *message)
{
	return objects_know(&c->objects, LEARNED_QUESTIONS) && message->sender != message->to;
}

/* A process that asks another one waits until its own signals have arrived there. */
static void add_way(struct conductor *c, const struct message *message, struct event *event)
{
	if (has_way(c, message))
		add(event, object_channel(&c->objects, message->sender, message->to), ACCESS_GIVE);
}

/* Does the signal end its receiver, or did it come too late to do so? */
static bool is_lethal(struct conductor *c, const struct message *message)
{
	return signal_is_lethal(c->vm, message,
				conduct_has_trapped(c, object_process(message->to)));
}

/* An event that has more accesses than it has room for depends on every other event. The object of
 * its first access stays, because a decision finds the event by that object. */
static void depend_on_all(struct event *event)
{
	event->accesses[0].mode = event->accesses[0].announced = ACCESS_WORLD;
	event->access_len = 1;
}

/* Is this the news of an abnormal end, which is a finding if its receiver has ended before? */
static bool is_heard(const struct conductor *c, const struct message *message)
{
	return objects_know(&c->objects, LEARNED_ENDS) && ends_is_news(c, message) &&
	       tuple_element(message->content, 4) != A_normal;
}

/* Announces the delivery of the first signal in the channel. */
static void announce_delivery(struct conductor *c, struct slot *slot, uint32_t index)
{
	const struct message *message = slot->transit.first;
	const struct event *sent = &c->events.items[message->origin - 1];
	struct event *event = &slot->announced;
	uint64_t value = pid_value(message->to);
	bool ends; /* does it end its receiver? */

	event->kind = EVENT_DELIVER;
	event->actor = index;
	event->ordinal = slot->ordinal;
	event->access_len = 0;
	event->flags = message->sender == message->to ? EVENT_TO_ITSELF : 0;
	event_set_feeder(event, sent->actor, sent->ordinal);
	event->site = sent->site;
	event->value = 0;
	if (signal_is_tie(message)) {
		announce_tie(&c->objects, message->to, event);
		add(event, object_relations(message->to), ACCESS_ADD);
		add_way(c, message, event);
		return;
	}
	ends = is_lethal(c, message);
	add(event, object_mailbox(message->to), ends ? ACCESS_STOP : ACCESS_SEND);
	if (signal_is_exit(message))
		add(event, object_signals(message->to), ends ? ACCESS_WRITE : ACCESS_ADD);
	else if (signal_is_down(message))
		add(event, object_monitor(&c->objects, value, message->alias_counter),
		    ACCESS_WRITE);
	if (is_heard(c, message))
		add(event, object_process(message->to), ACCESS_READ);
	if (signal_is_to_alias(message))
		add(event, object_reference(&c->objects, value, message->alias_counter),
		    ACCESS_WRITE);
	if (signal_is_to_alias(message) && !signal_is_down(message) &&
	    objects_know(&c->objects, LEARNED_TIES))
		add(event, object_process(message->to), ACCESS_READ); /* may end a monitor */
	if (ends ||
	    (signal_is_exit(message) && objects_know(&c->objects, LEARNED_TIES)))
		add(event, object_steps(message->to), ACCESS_WRITE);
	else if (signal_is_exit(message)) /* a link or an unlink may come before it */
		add(event, object_relations(message->to), ACCESS_USE);
	if (event->access_len == EVENT_ACCESSES && has_way(c, message))
		depend_on_all(event);
	else
		add_way(c, message, event);
}

void conduct_renew_channel(struct conductor *c, struct slot *slot)
{
	announce_delivery(c, slot, slot->announced.actor);
}

static uint32_t find_channel(struct conductor *c, term from, term to, bool may_add)
{
	uint32_t sender = find_actor(c, object_process(from));
	uint32_t receiver = find_actor(c, object_process(to));

	/* Other runs may have had more processes: that must not matter to this one. */
	if (sender == ACTOR_NONE || receiver == ACTOR_NONE ||
	    !c->slots.items[sender].has_lived || !c->slots.items[receiver].has_lived ||
	    (!may_add && !conductor_knows(c, sender, ACTOR_CHANNEL, receiver)))
		return ACTOR_NONE;
	return conductor_actor(c, sender, ACTOR_CHANNEL, receiver);
}

static void take_in(struct conductor *c, struct message *message)
{
	uint32_t index = find_channel(c, message->sender, message->to, true);
	struct slot *slot;

	if (index == ACTOR_NONE && signal_is_down(message)) { /* from nobody there ever was */
		message->sender = message->to;
		index = find_channel(c, message->sender, message->to, true);
	}
	if (index == ACTOR_NONE) { /* to nobody there ever was */
		signal_deliver(c->vm, message);
		return;
	}
	if (signal_is_exit(message))
		objects_learn(&c->objects, LEARNED_STEPS); /* it may end its receiver anywhere */
	slot = &c->slots.items[index];
	c->own_signals += message->sender == message->to;
	mailbox_append(&slot->transit, message);
	conduct_set_wait(c, slot, SLOT_READY);
	if (slot->transit.len == 1)
		announce_delivery(c, slot, index);
}

void conduct_take_transit(struct conductor *c)
{
	while (c->vm->transit.first) {
		struct mailbox sent = c->vm->transit;
		struct message *next;

		c->vm->transit = (struct mailbox){0};
		for (struct message *m = sent.first; m; m = next) {
			next = m->next;
			take_in(c, m);
		}
	}
}

/* A signal has arrived. A question that waited for it when its process was ended could have come
 * before the end, if the signals had arrived earlier. Signals of the dying process do not count. */
static void show_hidden(struct conductor *c, term from, term to)
{
	uint32_t asker = find_actor(c, object_process(from));
	struct slot *slot = &c->slots.items[asker];
	struct slot ghost;

	if (slot->hidden_pid != to || --slot->hidden_left)
		return;
	ghost = (struct slot){.announced = slot->hidden};
	slot->hidden_pid = 0;
	conduct_withdraw(c, &ghost, UINT32_MAX);
	vec_last(&c->withdrawn)->step = slot->hidden_step;
	vec_last(&c->withdrawn)->opened = (uint32_t)c->events.len;
}

void conduct_deliver(struct conductor *c, uint32_t actor)
{
	struct slot *slot = &c->slots.items[actor];
	struct message *message = slot->transit.first;

	conduct_observe_lost(c, vec_last(&c->events), message->content,
			     signal_is_stale(c->vm, message) ? UINT32_MAX : 0);
	slot->ordinal++;
	c->own_signals -= message->sender == message->to;
	slot->transit.first = message->next;
	slot->transit.len--;
	if (message->next) {
		announce_delivery(c, slot, actor);
	} else {
		slot->transit = (struct mailbox){0};
		conduct_set_wait(c, slot, SLOT_NONE);
	}
	show_hidden(c, message->sender, message->to);
	ends_note_delivery(c, message);
	signal_deliver(c->vm, message);
}

uint32_t conduct_count_underway(struct conductor *c, term from, term to)
{
	uint32_t index = find_channel(c, from, to, false);

	return index == ACTOR_NONE ? 0 : (uint32_t)c->slots.items[index].transit.len;
}

bool conduct_is_underway(struct conductor *c, term from, term to)
{
	return conduct_count_underway(c, from, to) > 0;
}

bool conduct_must_look(struct conductor *c, const struct slot *slot)
{
	return c->own_signals && slot->process && !slot->match && !slot->is_killed &&
	       slot->announced.kind == EVENT_RECEIVE &&
	       conduct_is_underway(c, slot->process->pid, slot->process->pid);
}

void conduct_take_own(struct conductor *c, struct process *p)
{
	uint32_t index = find_channel(c, p->pid, p->pid, false);
	struct slot *channel = &c->slots.items[index];
	uint32_t step = c->vm->step;

	conduct_withdraw(c, channel, UINT32_MAX);
	while (channel->transit.first) {
		struct message *message = channel->transit.first;

		channel->transit.first = message->next;
		c->own_signals--;
		c->vm->step = message->origin; /* it came with the step that asked */
		signal_deliver(c->vm, message);
	}
	c->vm->step = step;
	channel->transit = (struct mailbox){0};
	conduct_set_wait(c, channel, SLOT_NONE);
	conduct_look_again(c, p);
}

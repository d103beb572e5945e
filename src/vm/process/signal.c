#include "vm/process/signal.h"

#include "vm/exec/interp.h"
#include "vm/memory/heap.h"
#include "vm/memory/region.h"
#include "vm/process/boot.h"
#include "vm/process/leader.h"
#include "vm/process/mailbox.h"
#include "vm/process/registry.h"
#include "vm/process/signal_parts.h"
#include "vm/terms/atom.h"
#include "vm/process/trace.h"
#include "vm/terms/remote.h"
#include "vm/vm.h"

/* ---- messages ---- */

void signal_enqueue(struct process *to, struct message *message)
{
	if (to->status == PROCESS_EXITING) {
		message_free(message);
		return;
	}
	if (message->send_event == SIGNAL_MESSAGE && !to->signals.first)
		mailbox_deliver(to, message);
	else
		mailbox_append(&to->signals, message);
	/* The driver does not ask system processes, which may also end within the step. */
	if (to->vm->is_explored && !to->is_system && !to->has_news) {
		to->has_news = true;
		to->news_next = to->vm->news;
		to->vm->news = to;
	}
	if (to->status == PROCESS_WAITING)
		vm_wake(to);
}

bool signal_goes_by_channel(struct vm *vm, term from, term to)
{
	const struct process *sender, *receiver;

	if (!vm->is_async || !vm->is_explored || !term_is_pid(from) || from == to)
		return false;
	sender = process_find(vm, from);
	receiver = process_find(vm, to);
	if (receiver && receiver->is_port) /* bytes of several senders stay in order */
		return false;
	return !(sender && sender->is_system) && !(receiver && receiver->is_system);
}

void signal_put_in_transit(struct vm *vm, term to, struct message *message)
{
	message->to = to;
	mailbox_append(&vm->transit, message);
}

void signal_message(struct process *to, term content, term sender)
{
	struct message *message = message_new_sent(content, sender);

	if (signal_goes_by_channel(to->vm, sender, to->pid))
		signal_put_in_transit(to->vm, to->pid, message);
	else
		signal_enqueue(to, message);
}

void signal_enqueue_by_alias(struct process *to, struct message *message)
{
	struct relation *relation = relation_find(to, pid_value(to->pid), message->alias_counter);

	if (!relation || !(relation->alias & ALIAS_ACTIVE)) {
		message_free(message);
		return;
	}
	message->is_priority = message->is_priority && (relation->alias & ALIAS_PRIORITY);
	signal_enqueue(to, message);
	if (relation->alias & (ALIAS_REPLY | ALIAS_REPLY_DEMONITOR)) {
		signal_unwatch(relation, true);
		relation->alias = 0;
		relation_retire(relation);
	}
}

static void send_to_alias(struct process *from, term ref, term content, bool has_priority)
{
	term pid = pid_make(ref_pid_value(ref));
	struct process *to = process_find(from->vm, pid);
	bool by_channel = signal_goes_by_channel(from->vm, from->pid, pid);
	struct message *message;

	if (!to && !by_channel)
		return;
	message = message_new_sent(content, from->pid);
	message->alias_counter = ref_counter(ref);
	message->is_priority = has_priority;
	if (to == from)
		to->has_own_outside = true;
	if (by_channel)
		signal_put_in_transit(from->vm, pid, message);
	else
		signal_enqueue_by_alias(to, message);
}

static term find_named(struct process *from, term name)
{
	term pid = registry_find(from->vm, name);

	if (pid == TERM_NONE)
		boot_need(from, name);
	return pid;
}

static bool is_sent_to_boot(struct process *from, term name, term content)
{
	return registry_find(from->vm, name) == TERM_NONE && boot_send(from, name, content);
}

bool signal_send(struct process *from, term to, term content)
{
	return signal_send_as(from, to, content, false);
}

bool signal_send_as(struct process *from, term to, term content, bool has_priority)
{
	struct process *receiver;

	if (term_is_tuple_of(to, 2) && term_is_atom(tuple_element(to, 0)) &&
	    term_is_atom(tuple_element(to, 1))) {
		if (tuple_element(to, 1) != A_nohost)
			return true; /* the node does not exist: the message is lost */
		if (is_sent_to_boot(from, tuple_element(to, 0), content))
			return true;
		to = find_named(from, tuple_element(to, 0));
		if (to == TERM_NONE)
			return true;
	} else if (term_is_atom(to)) {
		if (is_sent_to_boot(from, to, content))
			return true;
		to = find_named(from, to);
		if (to == TERM_NONE)
			return false;
	}
	if (term_is_ref(to)) {
		send_to_alias(from, to, content, has_priority);
		return true;
	}
	if (term_is_port(to)) {
		if (to == PORT_OF_NODE)
			vm_unsupported(from->vm, "not supported: a message to the node's own port");
		to = process_of_port(to);
		receiver = process_find(from->vm, to);
		if (receiver && !receiver->is_system)
			vm_unsupported(from->vm, "not supported: a message to a socket");
	}
	if (!term_is_pid(to))
		return term_is_remote(to) && !term_is_any_port(to); /* lost: no node is connected */
	receiver = process_find(from->vm, to);
	if (receiver)
		signal_message(receiver, content, from->pid);
	else if (signal_goes_by_channel(from->vm, from->pid, to))
		signal_put_in_transit(from->vm, to, message_new_sent(content, from->pid));
	return true;
}

/* ---- exit signals ---- */

struct message *signal_make_exit(term from, term reason)
{
	struct message *message = message_new_room(TUPLE_WORDS(3) + term_copy_words(reason));
	const struct process *sender = process_find(vm_get(), from);
	term *hp = message->words;

	reason = term_copy(reason, &hp, &message->off_heap);
	message->content =
		tuple_build3(&hp, A_EXIT, sender ? process_known_as(sender) : from, reason);
	message->sender = from;
	return message;
}

void signal_exit(struct vm *vm, term from, term to, term reason, bool is_link)
{
	signal_exit_as(vm, from, to, reason, is_link, false);
}

void signal_exit_as(struct vm *vm, term from, term to, term reason, bool is_link,
		    bool has_priority)
{
	struct process *receiver = process_find(vm, to);
	bool by_channel = signal_goes_by_channel(vm, from, to);
	struct message *message;

	if (!by_channel && (!receiver || receiver->status == PROCESS_EXITING))
		return;
	message = signal_make_exit(from, reason);
	message->send_event = is_link ? SIGNAL_EXIT_LINK : SIGNAL_EXIT;
	message->is_priority = has_priority;
	if (by_channel)
		signal_put_in_transit(vm, to, message);
	else
		signal_enqueue(receiver, message);
}

void signal_exit_alias(struct process *from, term alias, term reason, bool has_priority)
{
	struct process *to = process_find(from->vm, pid_make(ref_pid_value(alias)));
	const struct relation *relation = to ? relation_find_ref(to, alias) : NULL;

	if (relation && (relation->alias & ALIAS_ACTIVE))
		signal_exit_as(from->vm, from->pid, to->pid, reason, false,
			       has_priority && (relation->alias & ALIAS_PRIORITY));
}

/* In a search the tracer would have to be told in a step of its own. */
static bool has_life_traced(const struct process *p)
{
	return p->trace_flags & TRACE_PROCS && !p->vm->is_explored;
}

/* True when the signal ended p. */
static bool take_exit(struct process *p, struct message *message)
{
	bool is_link = message->send_event == SIGNAL_EXIT_LINK;
	term reason = tuple_element(message->content, 2);
	term from = tuple_element(message->content, 1);
	bool survives;

	if (reason == A_kill && !is_link) {
		p->is_doomed = true;
		process_exit(p, A_killed);
		return true;
	}
	survives = p->trap_exit || (reason == A_normal && from != p->pid);
	if (survives && is_link && has_life_traced(p))
		trace_lost_link(p, from);
	if (p->trap_exit) {
		message->send_event = SIGNAL_MESSAGE;
		mailbox_deliver(p, message);
		return false;
	}
	if (survives) {
		message_free(message);
		return false;
	}
	reason = heap_import(p, reason);
	message_free(message);
	p->is_doomed = true;
	process_exit(p, reason);
	return true;
}

bool signal_would_end(const struct process *p, const struct message *message)
{
	term reason;

	if (message->send_event == SIGNAL_MESSAGE)
		return false;
	reason = tuple_element(message->content, 2);
	if (reason == A_kill && message->send_event != SIGNAL_EXIT_LINK)
		return true;
	return !p->trap_exit &&
	       (reason != A_normal || tuple_element(message->content, 1) == p->pid);
}

bool signals_settle(struct process *p)
{
	while (p->signals.first) {
		struct message *message = p->signals.first;

		if (signal_would_end(p, message))
			return true;
		p->signals.first = message->next;
		if (!p->signals.first)
			p->signals = (struct mailbox){0};
		if (message->send_event == SIGNAL_MESSAGE)
			mailbox_deliver(p, message);
		else
			take_exit(p, message);
	}
	return false;
}

void signals_take(struct process *p)
{
	while (p->signals.first) {
		struct message *message = p->signals.first;

		p->signals.first = message->next;
		if (!p->signals.first)
			p->signals = (struct mailbox){0};
		if (message->send_event == SIGNAL_MESSAGE)
			mailbox_deliver(p, message);
		else if (take_exit(p, message))
			return;
	}
}

bool signal_is_doomed(struct process *p)
{
	return p->is_doomed || (p->ip != interp_process_end && signals_settle(p));
}

bool signal_is_reached(struct process *p, const struct process *from)
{
	return p->status != PROCESS_EXITING && (p == from || !signal_is_doomed(p));
}

struct process *signal_find(struct vm *vm, term pid)
{
	struct process *of = process_find(vm, pid);

	return of && signal_is_reached(of, NULL) ? of : NULL;
}

struct process *signal_ask(struct process *p, term pid)
{
	struct process *of = process_find(p->vm, pid), *reached = signal_find(p->vm, pid);

	mailbox_take_in(p);
	if (of && !reached)
		of->is_known_dead = true;
	return reached;
}

bool signal_must_settle(const struct process *p, const struct process *of)
{
	return of && of != p && of->signals.first && of->is_queued && !p->vm->is_explored;
}

/* Signals in transit: what they are, and their delivery by the driver. */
#include "vm/process/mailbox.h"
#include "vm/process/signal_parts.h"
#include "vm/terms/atom.h"
#include "vm/vm.h"

bool signal_is_exit(const struct message *message)
{
	return message->send_event == SIGNAL_EXIT || message->send_event == SIGNAL_EXIT_LINK;
}

bool signal_is_down(const struct message *message)
{
	return message->send_event == SIGNAL_DOWN;
}

bool signal_is_tie(const struct message *message)
{
	return message->send_event >= SIGNAL_LINK;
}

const char *signal_tie_words(const struct message *message)
{
	switch (message->send_event) {
	case SIGNAL_LINK:
		return "the request to link";
	case SIGNAL_UNLINK:
		return "the request to unlink";
	case SIGNAL_MONITOR:
		return "the request to monitor";
	default:
		return "the request to demonitor";
	}
}

bool signal_is_lethal(struct vm *vm, const struct message *message, bool has_trapped)
{
	const struct process *to = process_find(vm, message->to);
	term reason;

	if (!signal_is_exit(message))
		return false;
	if (to)
		return signal_would_end(to, message);
	reason = tuple_element(message->content, 2);
	return (reason == A_kill && message->send_event != SIGNAL_EXIT_LINK) ||
	       (!has_trapped && reason != A_normal);
}

bool signal_is_to_alias(const struct message *message)
{
	if (signal_is_down(message))
		return ref_flags(tuple_element(message->content, 1)) & REF_ALIAS;
	return message->send_event == SIGNAL_MESSAGE && message->alias_counter != 0;
}

bool signal_is_stale(struct vm *vm, const struct message *message)
{
	struct process *to = process_find(vm, message->to);
	const struct relation *monitor;

	if (!to || !signal_is_down(message))
		return false;
	monitor = relation_find(to, pid_value(to->pid), message->alias_counter);
	return !relation_is_monitor(monitor);
}

/* A request has come to `to`, which is alive. */
static void accept_tie(struct process *to, const struct message *request)
{
	switch (request->send_event) {
	case SIGNAL_LINK:
		signal_accept_link(to, request);
		break;
	case SIGNAL_UNLINK:
		signal_accept_unlink(to, request);
		break;
	case SIGNAL_MONITOR:
		signal_accept_monitor(to, request);
		break;
	default:
		signal_accept_demonitor(to, request);
	}
}

/* Does the request to `to`, which is dying or NULL, get no answer? A link that `to` has to the
 * process that asks for one is answered by the exit signal of `to`. */
static bool is_unanswered(struct process *to, const struct message *request)
{
	const struct relation *end = to ? relation_find_end(to, request->sender) : NULL;

	return request->send_event == SIGNAL_UNLINK || request->send_event == SIGNAL_DEMONITOR ||
	       (request->send_event == SIGNAL_LINK && end && relation_is_link(end));
}

/* Takes the request. */
static void deliver_tie(struct vm *vm, struct process *to, struct message *request)
{
	term from = request->sender;

	if (to && signal_is_reached(to, NULL)) {
		accept_tie(to, request);
		message_free(request);
		return;
	}
	if (is_unanswered(to, request)) {
		message_free(request);
		return;
	}
	request->send_event = request->send_event == SIGNAL_LINK ? SIGNAL_EXIT_LINK : SIGNAL_DOWN;
	request->sender = request->to;
	signal_put_in_transit(vm, from, request);
}

/* Ends the relation that the signal is about; false when the relation was removed meanwhile, so
 * that the signal must be dropped. */
static bool end_relation_of(struct process *to, struct message *message)
{
	struct relation *relation;

	if (message->send_event == SIGNAL_DOWN) {
		relation = relation_find(to, pid_value(to->pid), message->alias_counter);
		if (!relation_is_monitor(relation))
			return false;
		message->is_priority = message->is_priority || relation->has_priority;
		relation_fulfil_monitor(relation);
		message->send_event = SIGNAL_MESSAGE;
		message->alias_counter = 0;
	} else if (message->send_event == SIGNAL_EXIT_LINK) {
		relation = to->vm->is_async ? relation_find_end(to, message->sender)
					    : relation_find_half_link(to, message->sender);
		if (!relation || !relation_is_link(relation))
			return false;
		message->is_priority = message->is_priority || relation->has_priority;
		/* It stays: when `to` dies it sends a signal in any case, which the dead other one
		 * does not get. So it makes no difference which of the two comes first. */
		relation->is_over = true;
	}
	return true;
}

void signal_deliver(struct vm *vm, struct message *message)
{
	struct process *to = process_find(vm, message->to);

	message->origin = vm->step;
	if (signal_is_tie(message)) {
		deliver_tie(vm, to, message);
	} else if (!to || to->status == PROCESS_EXITING) {
		message_free(message);
	} else if (signal_is_to_alias(message) && !signal_is_down(message)) {
		signal_enqueue_by_alias(to, message);
	} else if (end_relation_of(to, message)) {
		signal_enqueue(to, message);
	} else {
		message_free(message);
	}
}

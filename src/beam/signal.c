#include "beam/signal.h"

#include "beam/atom.h"
#include "beam/heap.h"
#include "beam/leader.h"
#include "beam/mailbox.h"
#include "beam/region.h"
#include "beam/registry.h"
#include "beam/vm.h"

/* Exit signals are messages in p->signals whose content is {Tag, From, Reason} and whose
 * send_event says what they are. */
enum {
	SIGNAL_MESSAGE = 0,
	SIGNAL_EXIT = 1,
	SIGNAL_EXIT_LINK = 2,
	SIGNAL_DOWN = 3, /* in transit only */
};

/* ---- relations ---- */

static struct relation *add_relation(struct process *p, enum relation_kind kind, term other)
{
	struct relation *relation = region_zalloc(sizeof(*relation));

	relation->owner = p;
	relation->kind = (uint8_t)kind;
	relation->other = other;
	relation->name = TERM_NONE;
	relation->next = p->relations;
	if (p->relations)
		p->relations->prev = relation;
	p->relations = relation;
	return relation;
}

void relation_free(struct relation *relation)
{
	if (relation->prev)
		relation->prev->next = relation->next;
	else
		relation->owner->relations = relation->next;
	if (relation->next)
		relation->next->prev = relation->prev;
	if (relation->peer)
		relation->peer->peer = NULL;
	if (relation->tag_message)
		message_free(relation->tag_message);
	region_free(relation, sizeof(*relation));
}

static void free_pair(struct relation *relation)
{
	if (relation->peer)
		relation_free(relation->peer);
	relation_free(relation);
}

static struct relation *find_link(struct process *p, term pid)
{
	for (struct relation *r = p->relations; r; r = r->next)
		if (r->kind == RELATION_LINK && r->other == pid && r->peer)
			return r;
	return NULL;
}

static struct relation *find_counter(struct process *p, uint64_t pid, uint64_t counter)
{
	for (struct relation *r = p->relations; r; r = r->next)
		if ((r->kind == RELATION_MONITOR || r->kind == RELATION_ALIAS) &&
		    r->ref_pid == pid && r->ref_counter == counter)
			return r;
	return NULL;
}

static struct relation *find_ref(struct process *p, term ref)
{
	return find_counter(p, ref_pid_value(ref), ref_counter(ref));
}

/* A link whose other end has sent its exit signal already. */
static struct relation *find_half_link(struct process *p, term pid)
{
	for (struct relation *r = p->relations; r; r = r->next)
		if (r->kind == RELATION_LINK && r->other == pid && !r->peer)
			return r;
	return NULL;
}

/* ---- messages ---- */

static void enqueue(struct process *to, struct message *message)
{
	if (to->status == PROCESS_EXITING) {
		message_free(message);
		return;
	}
	if (message->send_event == SIGNAL_MESSAGE && !to->signals.first)
		mailbox_append(&to->mailbox, message);
	else
		mailbox_append(&to->signals, message);
	if (to->vm->is_explored && !to->has_news) {
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
	return !(sender && sender->is_system) && !(receiver && receiver->is_system);
}

static void put_in_transit(struct vm *vm, term to, struct message *message)
{
	message->to = to;
	mailbox_append(&vm->transit, message);
}

void signal_message(struct process *to, term content, term sender)
{
	struct message *message = message_new(content, sender);

	if (signal_goes_by_channel(to->vm, sender, to->pid))
		put_in_transit(to->vm, to->pid, message);
	else
		enqueue(to, message);
}

/* Takes the message, which is to an alias of `to`. */
static void enqueue_by_alias(struct process *to, struct message *message)
{
	struct relation *relation = find_counter(to, pid_value(to->pid), message->alias_counter);

	if (!relation || !(relation->alias & ALIAS_ACTIVE)) {
		message_free(message);
		return;
	}
	enqueue(to, message);
	if (relation->alias & ALIAS_REPLY_DEMONITOR)
		free_pair(relation);
	else if ((relation->alias & ALIAS_REPLY) && relation->kind == RELATION_ALIAS)
		relation_free(relation);
	else if (relation->alias & ALIAS_REPLY)
		relation->alias = 0;
}

static void send_to_alias(struct process *from, term ref, term content)
{
	term pid = pid_make(ref_pid_value(ref));
	struct process *to = process_find(from->vm, pid);
	bool by_channel = signal_goes_by_channel(from->vm, from->pid, pid);
	struct message *message;

	if (!to && !by_channel)
		return;
	message = message_new(content, from->pid);
	message->alias_counter = ref_counter(ref);
	if (by_channel)
		put_in_transit(from->vm, pid, message);
	else
		enqueue_by_alias(to, message);
}

bool signal_send(struct process *from, term to, term content)
{
	struct process *receiver;

	if (term_is_tuple_of(to, 2) && term_is_atom(tuple_element(to, 0)) &&
	    term_is_atom(tuple_element(to, 1))) {
		if (tuple_element(to, 1) != A_nohost)
			return true; /* a node that is not there: the message is lost */
		to = registry_find(from->vm, tuple_element(to, 0));
		if (to == TERM_NONE)
			return true;
	} else if (term_is_atom(to)) {
		to = registry_find(from->vm, to);
		if (to == TERM_NONE)
			return false;
	}
	if (term_is_ref(to)) {
		send_to_alias(from, to, content);
		return true;
	}
	if (!term_is_pid(to))
		return term_is_port(to);
	receiver = process_find(from->vm, to);
	if (receiver)
		signal_message(receiver, content, from->pid);
	else if (signal_goes_by_channel(from->vm, from->pid, to))
		put_in_transit(from->vm, to, message_new(content, from->pid));
	return true;
}

/* Messages through an alias that nobody has looked at yet go with it, as on the real one,
 * where they are dropped when fetched. */
static void drop_alias_messages(struct process *p, const struct relation *relation)
{
	struct message *next;

	for (struct message *m = p->mailbox.first; m; m = next) {
		next = m->next;
		if (m->kind == MESSAGE_ON_HEAP || m->alias_counter != relation->ref_counter)
			continue;
		if (p->mailbox.save == m)
			p->mailbox.save = next;
		mailbox_remove(p, m);
	}
}

/* ---- exit signals ---- */

void signal_exit(struct vm *vm, term from, term to, term reason, bool is_link)
{
	struct process *receiver = process_find(vm, to);
	bool by_channel = signal_goes_by_channel(vm, from, to);
	struct message *message;
	term *hp;

	if (!by_channel && (!receiver || receiver->status == PROCESS_EXITING))
		return;
	message = message_new_room(TUPLE_WORDS(3) + term_copy_words(reason));
	hp = message->words;
	reason = term_copy(reason, &hp, &message->off_heap);
	message->content = tuple_build3(&hp, A_EXIT, from, reason);
	message->sender = from;
	message->send_event = is_link ? SIGNAL_EXIT_LINK : SIGNAL_EXIT;
	if (by_channel)
		put_in_transit(vm, to, message);
	else
		enqueue(receiver, message);
}

/* True when the signal ended p. */
static bool take_exit(struct process *p, struct message *message)
{
	bool is_link = message->send_event == SIGNAL_EXIT_LINK;
	term reason = tuple_element(message->content, 2);
	term from = tuple_element(message->content, 1);

	if (reason == A_kill && !is_link) {
		process_exit(p, A_killed);
		return true;
	}
	if (p->trap_exit) {
		message->send_event = SIGNAL_MESSAGE;
		mailbox_append(&p->mailbox, message);
		return false;
	}
	if (reason == A_normal && from != p->pid) {
		message_free(message);
		return false;
	}
	reason = heap_import(p, reason);
	message_free(message);
	process_exit(p, reason);
	return true;
}

static bool is_lethal(const struct process *p, const struct message *message)
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

		if (is_lethal(p, message))
			return true;
		p->signals.first = message->next;
		if (!p->signals.first)
			p->signals = (struct mailbox){0};
		if (message->send_event == SIGNAL_MESSAGE)
			mailbox_append(&p->mailbox, message);
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
			mailbox_append(&p->mailbox, message);
		else if (take_exit(p, message))
			return;
	}
}

/* ---- links ---- */

bool signal_link(struct process *p, term pid)
{
	struct process *other = process_find(p->vm, pid);
	struct relation *mine, *theirs;

	if (pid == p->pid || find_link(p, pid))
		return true;
	if (!other || other->status == PROCESS_EXITING)
		return false;
	mine = add_relation(p, RELATION_LINK, pid);
	theirs = add_relation(other, RELATION_LINK, p->pid);
	mine->peer = theirs;
	theirs->peer = mine;
	return true;
}

void signal_unlink(struct process *p, term pid)
{
	struct relation *link = find_link(p, pid);

	if (!link && p->vm->is_async)
		link = find_half_link(p, pid); /* its exit signal is in transit still */
	if (link)
		free_pair(link);
}

/* ---- monitors ---- */

static void set_tag(struct relation *relation, term tag)
{
	relation->tag = tag;
	if (!term_is_immediate(tag)) {
		relation->tag_message = message_new(tag, A_system);
		relation->tag = relation->tag_message->content;
	}
}

/* {Tag, Ref, process, Object, Reason} to the watcher, from whom it watches (or A_system). True:
 * it is in transit, and the monitor must stay until it is there. */
static bool send_down(struct process *watcher, struct relation *monitor, term reason, term from)
{
	size_t words = term_copy_words(monitor->tag) + term_copy_words(reason) + REF_WORDS + 16;
	struct message *message = message_new_room(words);
	term *hp = message->words;
	term *ref = hp;
	term object = monitor->other, tag;

	ref[0] = header_make(KIND_REF, 3);
	ref[1] = monitor->ref_pid;
	ref[2] = monitor->ref_counter;
	ref[3] = monitor->alias ? REF_ALIAS : 0;
	hp += REF_WORDS;
	if (monitor->name != TERM_NONE)
		object = tuple_build2(&hp, monitor->name, A_nohost);
	tag = term_copy(monitor->tag, &hp, &message->off_heap);
	reason = term_copy(reason, &hp, &message->off_heap);
	message->content =
		tuple_build5(&hp, tag, boxed_make(ref), A_process, object, reason);
	message->sender = from;
	if (!signal_goes_by_channel(watcher->vm, from, watcher->pid)) {
		enqueue(watcher, message);
		return false;
	}
	message->send_event = SIGNAL_DOWN;
	message->alias_counter = monitor->ref_counter;
	put_in_transit(watcher->vm, watcher->pid, message);
	return true;
}

/* The DOWN has come: the monitor goes, or stays as an alias only. */
static void end_monitor(struct relation *monitor)
{
	if (monitor->alias && !(monitor->alias & (ALIAS_DEMONITOR | ALIAS_REPLY_DEMONITOR)))
		monitor->kind = RELATION_ALIAS;
	else
		relation_free(monitor);
}

term signal_monitor(struct process *p, term target, term tag, unsigned alias_flags)
{
	term ref = process_make_ref(p, alias_flags ? REF_ALIAS : 0);
	term pid = term_is_atom(target) ? registry_find(p->vm, target) : target;
	struct process *other = pid == TERM_NONE ? NULL : process_find(p->vm, pid);
	struct relation *mine = add_relation(p, RELATION_MONITOR, pid);
	struct relation *theirs;

	mine->ref_pid = ref_pid_value(ref);
	mine->ref_counter = ref_counter(ref);
	mine->alias = (uint8_t)alias_flags;
	mine->name = term_is_atom(target) ? target : TERM_NONE;
	set_tag(mine, tag);
	if (!other || other->status == PROCESS_EXITING) {
		if (!send_down(p, mine, A_noproc, pid == TERM_NONE ? (term)A_system : pid))
			end_monitor(mine);
		return ref;
	}
	theirs = add_relation(other, RELATION_MONITORED, p->pid);
	theirs->ref_pid = mine->ref_pid;
	theirs->ref_counter = mine->ref_counter;
	theirs->name = mine->name;
	mine->peer = theirs;
	theirs->peer = mine;
	return ref;
}

bool signal_demonitor(struct process *p, term ref)
{
	struct relation *monitor = find_ref(p, ref);

	if (!monitor || monitor->kind != RELATION_MONITOR)
		return false;
	if (monitor->alias & (ALIAS_DEMONITOR | ALIAS_REPLY_DEMONITOR))
		drop_alias_messages(p, monitor);
	if (monitor->alias && !(monitor->alias & (ALIAS_DEMONITOR | ALIAS_REPLY_DEMONITOR))) {
		if (monitor->peer)
			relation_free(monitor->peer);
		monitor->kind = RELATION_ALIAS;
		return true;
	}
	free_pair(monitor);
	return true;
}

term signal_alias(struct process *p, unsigned alias_flags)
{
	term ref = process_make_ref(p, REF_ALIAS);
	struct relation *relation = add_relation(p, RELATION_ALIAS, p->pid);

	relation->ref_pid = ref_pid_value(ref);
	relation->ref_counter = ref_counter(ref);
	relation->alias = (uint8_t)alias_flags;
	return ref;
}

bool signal_unalias(struct process *p, term ref)
{
	struct relation *relation = find_ref(p, ref);

	if (!relation || !(relation->alias & ALIAS_ACTIVE))
		return false;
	drop_alias_messages(p, relation);
	if (relation->kind == RELATION_ALIAS)
		relation_free(relation);
	else
		relation->alias = 0;
	return true;
}

void signal_mute(struct process *p, term ref)
{
	struct relation *monitor = find_ref(p, ref);

	if (!monitor || monitor->kind != RELATION_MONITOR || !monitor->peer)
		return;
	monitor->peer->peer = NULL;
	monitor->peer = NULL;
}

term signal_monitored(struct process *p, term ref)
{
	const struct relation *monitor = find_ref(p, ref);

	return monitor && monitor->kind == RELATION_MONITOR ? monitor->other : TERM_NONE;
}

/* ---- dying ---- */

static bool goes_before(const struct relation *a, const struct relation *b)
{
	if (a->other != b->other)
		return a->other < b->other;
	return a->ref_counter != b->ref_counter ? a->ref_counter < b->ref_counter
						: a->kind < b->kind;
}

struct relation *signal_exit_relation(const struct process *p)
{
	struct relation *first = p->relations;

	for (struct relation *r = first; r && p->vm->is_explored; r = r->next)
		if (goes_before(r, first))
			first = r;
	return first;
}

bool signal_exit_next(struct process *p, term reason)
{
	struct relation *relation = signal_exit_relation(p);
	struct relation *peer;
	struct process *other;

	if (!relation)
		return false;
	peer = relation->peer;
	other = peer ? peer->owner : NULL;
	switch (relation->kind) {
	case RELATION_LINK:
		if (other)
			signal_exit(p->vm, p->pid, other->pid, reason, true);
		break;
	case RELATION_MONITORED:
		if (!other)
			break;
		if (send_down(other, peer, reason, p->pid)) {
			relation_free(relation);
			return true;
		}
		relation->peer = peer->peer = NULL;
		end_monitor(peer);
		relation_free(relation);
		return true;
	default:
		break;
	}
	if (peer && p->vm->is_explored && relation->kind != RELATION_MONITORED)
		peer->peer = NULL; /* stays as a step of the other's dying: signal_mute */
	else if (peer)
		relation_free(peer);
	relation->peer = NULL;
	relation_free(relation);
	return true;
}

/* ---- what was in transit ---- */

bool signal_is_exit(const struct message *message)
{
	return message->send_event == SIGNAL_EXIT || message->send_event == SIGNAL_EXIT_LINK;
}

bool signal_is_down(const struct message *message)
{
	return message->send_event == SIGNAL_DOWN;
}

bool signal_is_lethal(struct vm *vm, const struct message *message)
{
	const struct process *to = process_find(vm, message->to);

	if (!signal_is_exit(message))
		return false;
	if (!to || to->status == PROCESS_EXITING) /* it could have come before */
		return tuple_element(message->content, 2) != A_normal;
	return is_lethal(to, message);
}

void signal_deliver(struct vm *vm, struct message *message)
{
	struct process *to = process_find(vm, message->to);
	struct relation *relation = NULL;

	message->origin = vm->step;
	if (!to || to->status == PROCESS_EXITING) {
		message_free(message);
		return;
	}
	if (message->send_event == SIGNAL_DOWN)
		relation = find_counter(to, pid_value(to->pid), message->alias_counter);
	else if (message->send_event == SIGNAL_EXIT_LINK)
		relation = find_half_link(to, message->sender);
	else if (message->alias_counter) {
		enqueue_by_alias(to, message);
		return;
	}
	if (message->send_event == SIGNAL_DOWN) {
		if (!relation || relation->kind != RELATION_MONITOR) {
			message_free(message);
			return;
		}
		end_monitor(relation);
		message->send_event = SIGNAL_MESSAGE;
		message->alias_counter = 0;
	} else if (message->send_event == SIGNAL_EXIT_LINK) {
		if (!relation) {
			message_free(message);
			return;
		}
		relation_free(relation);
	}
	enqueue(to, message);
}

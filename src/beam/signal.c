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
enum { SIGNAL_MESSAGE = 0, SIGNAL_EXIT = 1, SIGNAL_EXIT_LINK = 2 };

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

static struct relation *find_ref(struct process *p, term ref)
{
	for (struct relation *r = p->relations; r; r = r->next)
		if ((r->kind == RELATION_MONITOR || r->kind == RELATION_ALIAS) &&
		    r->ref_pid == ref_pid_value(ref) && r->ref_counter == ref_counter(ref))
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

void signal_message(struct process *to, term content, term sender)
{
	enqueue(to, message_new(content, sender));
}

static void send_to_alias(struct process *from, term ref, term content)
{
	struct process *to = process_find(from->vm, pid_make(ref_pid_value(ref)));
	struct relation *relation = to ? find_ref(to, ref) : NULL;
	struct message *message;

	if (!relation || !(relation->alias & ALIAS_ACTIVE))
		return;
	message = message_new(content, from->pid);
	message->alias_counter = ref_counter(ref);
	enqueue(to, message);
	if (relation->alias & ALIAS_REPLY_DEMONITOR)
		free_pair(relation);
	else if ((relation->alias & ALIAS_REPLY) && relation->kind == RELATION_ALIAS)
		relation_free(relation);
	else if (relation->alias & ALIAS_REPLY)
		relation->alias = 0;
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
	struct message *message;
	term *hp;

	if (!receiver || receiver->status == PROCESS_EXITING)
		return;
	message = message_new_room(TUPLE_WORDS(3) + term_copy_words(reason));
	hp = message->words;
	reason = term_copy(reason, &hp, &message->off_heap);
	message->content = tuple_build3(&hp, A_EXIT, from, reason);
	message->sender = from;
	message->send_event = is_link ? SIGNAL_EXIT_LINK : SIGNAL_EXIT;
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
	return !p->trap_exit && (reason != A_normal || tuple_element(message->content, 1) == p->pid);
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

bool signal_is_linked(struct process *p, term pid)
{
	return find_link(p, pid) != NULL;
}

void signal_unlink(struct process *p, term pid)
{
	struct relation *link = find_link(p, pid);

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

/* {Tag, Ref, process, Object, Reason} to the watcher. */
static void send_down(struct process *watcher, struct relation *monitor, term reason)
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
	enqueue(watcher, message);
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
		send_down(p, mine, A_noproc);
		if (alias_flags && !(alias_flags & (ALIAS_DEMONITOR | ALIAS_REPLY_DEMONITOR)))
			mine->kind = RELATION_ALIAS;
		else
			relation_free(mine);
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
	return a->ref_counter != b->ref_counter ? a->ref_counter < b->ref_counter : a->kind < b->kind;
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
		send_down(other, peer, reason);
		if (peer->alias && !(peer->alias & (ALIAS_DEMONITOR | ALIAS_REPLY_DEMONITOR))) {
			peer->kind = RELATION_ALIAS;
			relation_free(relation);
			return true;
		}
		break;
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

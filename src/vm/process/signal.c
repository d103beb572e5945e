#include "vm/process/signal.h"

#include "vm/exec/interp.h"
#include "vm/memory/heap.h"
#include "vm/memory/region.h"
#include "vm/process/boot.h"
#include "vm/process/leader.h"
#include "vm/process/mailbox.h"
#include "vm/process/registry.h"
#include "vm/terms/atom.h"
#include "vm/vm.h"

/* Exit signals are messages in p->signals whose content is {Tag, From, Reason} and whose
 * send_event says what they are. */
enum {
	SIGNAL_MESSAGE = 0,
	SIGNAL_EXIT = 1,
	SIGNAL_EXIT_LINK = 2,
	SIGNAL_DOWN = 3, /* this and the following in transit only */
	SIGNAL_LINK = 4,
	SIGNAL_MONITOR = 5,
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

/* A monitor goes before its DOWN has come, or a link to one that has begun to end. Explored, the
 * other keeps its end: its dying has the same steps whether it has begun or not, and one of them is
 * what the going races with. */
static void let_go(struct relation *mine, bool is_step)
{
	struct relation *peer = mine->peer;

	if (!peer)
		return;
	if (!mine->owner->vm->is_explored) {
		relation_free(peer);
		return;
	}
	mine->peer = peer->peer = NULL;
	peer->is_let_go = is_step;
}

/* A relation of a process ends by a step of another process. Explored, it stays without meaning, for
 * the same reason. */
static void retire(struct relation *relation)
{
	if (!relation->owner->vm->is_explored) {
		relation_free(relation);
		return;
	}
	if (relation->peer)
		relation->peer->peer = NULL;
	relation->peer = NULL;
	relation->is_let_go = true;
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
		if (r->kind == RELATION_LINK && r->other == pid && !r->peer && !r->is_let_go)
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
	if (relation->alias & (ALIAS_REPLY | ALIAS_REPLY_DEMONITOR)) {
		let_go(relation, true);
		relation->alias = 0;
		retire(relation);
	}
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

static term find_named(struct process *from, term name)
{
	term pid = registry_find(from->vm, name);

	if (pid == TERM_NONE)
		boot_note_absence(from, name);
	return pid;
}

bool signal_send(struct process *from, term to, term content)
{
	struct process *receiver;

	if (term_is_tuple_of(to, 2) && term_is_atom(tuple_element(to, 0)) &&
	    term_is_atom(tuple_element(to, 1))) {
		if (tuple_element(to, 1) != A_nohost)
			return true; /* a node that is not there: the message is lost */
		to = find_named(from, tuple_element(to, 0));
		if (to == TERM_NONE)
			return true;
	} else if (term_is_atom(to)) {
		to = find_named(from, to);
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

/* {'EXIT', From, Reason} */
static struct message *make_exit(term from, term reason)
{
	struct message *message = message_new_room(TUPLE_WORDS(3) + term_copy_words(reason));
	term *hp = message->words;

	reason = term_copy(reason, &hp, &message->off_heap);
	message->content = tuple_build3(&hp, A_EXIT, from, reason);
	message->sender = from;
	return message;
}

void signal_exit(struct vm *vm, term from, term to, term reason, bool is_link)
{
	struct process *receiver = process_find(vm, to);
	bool by_channel = signal_goes_by_channel(vm, from, to);
	struct message *message;

	if (!by_channel && (!receiver || receiver->status == PROCESS_EXITING))
		return;
	message = make_exit(from, reason);
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
		p->is_doomed = true;
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
	p->is_doomed = true;
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

/* Has p got an exit signal that ends it? What is sent to it afterwards finds nobody. */
static bool is_doomed(struct process *p)
{
	return p->is_doomed || (p->ip != interp_process_end && signals_settle(p));
}

/* Does a signal of `from`, sent now, find p alive? */
static bool is_reached(struct process *p, const struct process *from)
{
	return p->status != PROCESS_EXITING && (p == from || !is_doomed(p));
}

struct process *signal_find(struct vm *vm, term pid)
{
	struct process *of = process_find(vm, pid);

	if (of && is_reached(of, NULL))
		return of;
	if (of)
		of->is_known_dead = true;
	return NULL;
}

bool signal_must_settle(const struct process *p, const struct process *of)
{
	return of && of != p && of->signals.first && of->is_queued && !p->vm->is_explored;
}

/* The answer noproc to p, explored. from: a pid, or TERM_NONE for a name that nobody has. */
static void answer_noproc(struct process *p, term from, struct message *message)
{
	message->sender = from == TERM_NONE ? p->pid : from;
	put_in_transit(p->vm, p->pid, message);
}

/* ---- links ---- */

/* A request to link or to watch, on its way. It carries the answer noproc: {'EXIT', ...} or
 * {'DOWN', ...}. */
static void request_tie(struct process *p, term pid, struct message *message, uint64_t signal)
{
	message->send_event = signal;
	message->sender = p->pid;
	put_in_transit(p->vm, pid, message);
}

static void connect(struct relation *mine, struct relation *theirs)
{
	mine->peer = theirs;
	theirs->peer = mine;
}

/* A link to one that has been ended by a signal, and does not know it yet. */
static void link_to_doomed(struct process *p, const struct process *other)
{
	struct message *message = make_exit(other->pid, A_noproc);

	message->send_event = SIGNAL_EXIT_LINK;
	if (!p->vm->is_explored || p->is_system || other->is_system) {
		enqueue(p, message);
		return;
	}
	add_relation(p, RELATION_LINK, other->pid); /* until the answer comes */
	answer_noproc(p, other->pid, message);
}

void signal_link_child(struct process *p, struct process *child)
{
	connect(add_relation(p, RELATION_LINK, child->pid),
		add_relation(child, RELATION_LINK, p->pid));
}

bool signal_link(struct process *p, term pid)
{
	struct process *other = process_find(p->vm, pid);

	if (pid == p->pid || find_link(p, pid) || (p->vm->is_async && find_half_link(p, pid)))
		return true;
	if (!other || other->status == PROCESS_EXITING)
		return false;
	if (signal_goes_by_channel(p->vm, p->pid, pid)) {
		add_relation(p, RELATION_LINK, pid);
		request_tie(p, pid, make_exit(pid, A_noproc), SIGNAL_LINK);
	} else if (!is_doomed(other)) {
		signal_link_child(p, other);
	} else {
		link_to_doomed(p, other);
	}
	return true;
}

void signal_refuse_link(struct process *p, term pid)
{
	struct message *message = make_exit(pid, A_noproc);

	message->send_event = SIGNAL_EXIT_LINK;
	enqueue(p, message);
}

void signal_unlink(struct process *p, term pid)
{
	struct relation *link = find_link(p, pid);

	if (!link && p->vm->is_explored)
		link = find_half_link(p, pid); /* its exit signal may be in transit still */
	if (link && link->peer && link->peer->owner->status == PROCESS_EXITING)
		let_go(link, true);
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

/* {Tag, Ref, process, Object, Reason}, from what either end of the monitor knows. */
static struct message *make_down(const struct relation *end, term reason)
{
	size_t words = term_copy_words(end->tag) + term_copy_words(reason) + REF_WORDS + 16;
	struct message *message = message_new_room(words);
	term *hp = message->words;
	term *ref = hp;
	term watched = end->kind == RELATION_MONITORED ? end->owner->pid : end->other;
	term object = watched, tag;

	ref[0] = header_make(KIND_REF, 3);
	ref[1] = end->ref_pid;
	ref[2] = end->ref_counter;
	ref[3] = end->ref_flags;
	hp += REF_WORDS;
	if (end->name != TERM_NONE)
		object = tuple_build2(&hp, end->name, A_nohost);
	tag = term_copy(end->tag, &hp, &message->off_heap);
	reason = term_copy(reason, &hp, &message->off_heap);
	message->content =
		tuple_build5(&hp, tag, boxed_make(ref), A_process, object, reason);
	message->sender = watched == TERM_NONE ? (term)A_system : watched;
	return message;
}

/* To the watcher, who may have gone. True: it is in transit, and the monitor must stay until it is
 * there. */
static bool send_down(struct vm *vm, term to, const struct relation *end, term reason)
{
	struct process *watcher = process_find(vm, to);
	struct message *message = make_down(end, reason);

	if (!signal_goes_by_channel(vm, message->sender, to)) {
		enqueue(watcher, message);
		return false;
	}
	message->send_event = SIGNAL_DOWN;
	message->alias_counter = end->ref_counter;
	put_in_transit(vm, to, message);
	return true;
}

/* The monitor goes, or stays as an alias only. */
static void end_monitor(struct relation *monitor)
{
	if (monitor->alias && !(monitor->alias & (ALIAS_DEMONITOR | ALIAS_REPLY_DEMONITOR)))
		monitor->kind = RELATION_ALIAS;
	else
		relation_free(monitor);
}

/* The DOWN has come. */
static void fulfil_monitor(struct relation *monitor)
{
	if (!monitor->owner->vm->is_explored) {
		end_monitor(monitor);
		return;
	}
	if (monitor->alias & (ALIAS_DEMONITOR | ALIAS_REPLY_DEMONITOR))
		monitor->alias = 0;
	retire(monitor);
}

static bool is_monitor(const struct relation *relation)
{
	return relation && relation->kind == RELATION_MONITOR && !relation->is_let_go;
}

static term make_alias(struct process *p, struct relation *relation, unsigned alias_flags)
{
	unsigned once = alias_flags & (ALIAS_REPLY | ALIAS_REPLY_DEMONITOR) ? REF_ONCE : 0;
	term ref = process_make_ref(p, alias_flags ? REF_ALIAS | once : 0);

	relation->ref_pid = ref_pid_value(ref);
	relation->ref_counter = ref_counter(ref);
	relation->ref_flags = (uint8_t)ref_flags(ref);
	relation->alias = (uint8_t)alias_flags;
	return ref;
}

/* Explored, the monitor is there until the answer comes. */
static void refuse_monitor(struct relation *mine)
{
	struct message *message = make_down(mine, A_noproc);
	struct process *p = mine->owner;

	if (p->vm->is_explored && !p->is_system) {
		message->send_event = SIGNAL_DOWN;
		message->alias_counter = mine->ref_counter;
		answer_noproc(p, mine->other, message);
		return;
	}
	enqueue(p, message);
	end_monitor(mine);
}

static void watch(struct relation *mine, struct process *other)
{
	struct relation *theirs = add_relation(other, RELATION_MONITORED, mine->owner->pid);

	theirs->ref_pid = mine->ref_pid;
	theirs->ref_counter = mine->ref_counter;
	theirs->ref_flags = mine->ref_flags;
	theirs->alias = mine->alias;
	theirs->name = mine->name;
	set_tag(theirs, mine->tag);
	connect(mine, theirs);
}

static term make_monitor(struct process *p, term pid, term tag, unsigned alias_flags,
			 struct relation **mine)
{
	*mine = add_relation(p, RELATION_MONITOR, pid);
	set_tag(*mine, tag);
	return make_alias(p, *mine, alias_flags);
}

term signal_monitor_child(struct process *p, struct process *child, term tag, unsigned alias_flags)
{
	struct relation *mine;
	term ref = make_monitor(p, child->pid, tag, alias_flags, &mine);

	watch(mine, child);
	return ref;
}

term signal_monitor(struct process *p, term target, term tag, unsigned alias_flags)
{
	term pid = term_is_atom(target) ? registry_find(p->vm, target) : target;
	struct process *other = pid == TERM_NONE ? NULL : process_find(p->vm, pid);
	struct relation *mine;
	term ref = make_monitor(p, pid, tag, alias_flags, &mine);

	mine->name = term_is_atom(target) ? target : TERM_NONE;
	if (pid != TERM_NONE && signal_goes_by_channel(p->vm, p->pid, pid)) {
		struct message *message = make_down(mine, A_noproc);

		message->alias_counter = mine->ref_counter;
		request_tie(p, pid, message, SIGNAL_MONITOR);
	} else if (other && is_reached(other, p)) {
		watch(mine, other);
	} else {
		refuse_monitor(mine);
	}
	return ref;
}

bool signal_demonitor(struct process *p, term ref, bool is_step)
{
	struct relation *monitor = find_ref(p, ref);

	if (!monitor || monitor->kind != RELATION_MONITOR)
		return false;
	if (monitor->is_let_go) {
		end_monitor(monitor);
		return false;
	}
	if (monitor->alias & (ALIAS_DEMONITOR | ALIAS_REPLY_DEMONITOR))
		drop_alias_messages(p, monitor);
	let_go(monitor, is_step);
	end_monitor(monitor);
	return true;
}

term signal_alias(struct process *p, unsigned alias_flags)
{
	return make_alias(p, add_relation(p, RELATION_ALIAS, p->pid), alias_flags);
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

term signal_monitored(struct process *p, term ref)
{
	const struct relation *monitor = find_ref(p, ref);

	return is_monitor(monitor) ? monitor->other : TERM_NONE;
}

bool signal_alias_goes(struct process *p, term ref)
{
	const struct relation *relation = find_ref(p, ref);

	return (ref_flags(ref) & REF_ALIAS) &&
	       (!relation || (relation->is_let_go && !relation->alias) ||
		relation->alias & (ALIAS_DEMONITOR | ALIAS_REPLY_DEMONITOR));
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

struct message *signal_last_word(const struct process *p)
{
	const struct relation *relation = p->relations ? signal_exit_relation(p) : NULL;

	if (!relation || (relation->kind != RELATION_MONITORED && relation->kind != RELATION_LINK))
		return NULL;
	return relation->kind == RELATION_LINK ? make_exit(p->pid, p->exit_reason)
					       : make_down(relation, p->exit_reason);
}

static void tell_watcher(struct relation *relation, term reason)
{
	struct process *p = relation->owner;
	struct relation *peer = relation->peer;

	if (relation->is_let_go ||
	    (!peer && !signal_goes_by_channel(p->vm, p->pid, relation->other)))
		return;
	if (send_down(p->vm, relation->other, relation, reason))
		return;
	relation->peer = peer->peer = NULL;
	fulfil_monitor(peer);
}

bool signal_exit_next(struct process *p, term reason)
{
	struct relation *relation = signal_exit_relation(p);
	struct relation *peer;

	if (!relation)
		return false;
	peer = relation->peer;
	if (relation->kind == RELATION_MONITORED)
		tell_watcher(relation, reason);
	else if (relation->kind == RELATION_LINK && !relation->is_let_go)
		signal_exit(p->vm, p->pid, relation->other, reason, true);
	if (relation->kind != RELATION_MONITORED && peer && !p->vm->is_explored)
		relation_free(peer); /* explored, it stays as a step of the other's dying: let_go */
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

bool signal_is_tie(const struct message *message)
{
	return message->send_event == SIGNAL_LINK || message->send_event == SIGNAL_MONITOR;
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
	monitor = find_counter(to, pid_value(to->pid), message->alias_counter);
	return !is_monitor(monitor);
}

/* The process that asked to watch `to` has gone, or has taken the request back. The end of `to` has
 * the same steps as if that had happened after the request arrived. */
static void watch_for_nobody(struct process *to, const struct message *request)
{
	struct relation *theirs = add_relation(to, RELATION_MONITORED, request->sender);
	term ref = tuple_element(request->content, 1);

	theirs->ref_pid = ref_pid_value(ref);
	theirs->ref_counter = ref_counter(ref);
	theirs->ref_flags = (uint8_t)ref_flags(ref);
	set_tag(theirs, tuple_element(request->content, 0));
}

/* A request to link or to watch has come to `to`, which lives. */
static void accept_tie(struct process *to, const struct message *request)
{
	struct process *from = process_find(to->vm, request->sender);
	struct relation *mine = NULL;

	if (request->send_event == SIGNAL_LINK) {
		mine = from ? find_half_link(from, to->pid) : NULL;
		if (mine)
			connect(mine, add_relation(to, RELATION_LINK, request->sender));
		else if (!from || from->status == PROCESS_EXITING) /* its exit signal comes, too */
			add_relation(to, RELATION_LINK, request->sender);
		return;
	}
	if (from)
		mine = find_counter(from, pid_value(from->pid), request->alias_counter);
	if (is_monitor(mine))
		watch(mine, to);
	else
		watch_for_nobody(to, request);
}

/* Takes the request. */
static void deliver_tie(struct vm *vm, struct process *to, struct message *request)
{
	term from = request->sender;

	if (to && is_reached(to, NULL)) {
		accept_tie(to, request);
		message_free(request);
		return;
	}
	request->send_event = request->send_event == SIGNAL_LINK ? SIGNAL_EXIT_LINK : SIGNAL_DOWN;
	request->sender = request->to;
	put_in_transit(vm, from, request);
}

/* Ends the relation that the signal tells of; false when that has been taken back, and nobody
 * wants the signal any more. */
static bool end_relation_of(struct process *to, struct message *message)
{
	struct relation *relation;

	if (message->send_event == SIGNAL_DOWN) {
		relation = find_counter(to, pid_value(to->pid), message->alias_counter);
		if (!is_monitor(relation))
			return false;
		fulfil_monitor(relation);
		message->send_event = SIGNAL_MESSAGE;
		message->alias_counter = 0;
	} else if (message->send_event == SIGNAL_EXIT_LINK) {
		relation = find_half_link(to, message->sender);
		if (!relation)
			return false;
		retire(relation);
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
		enqueue_by_alias(to, message);
	} else if (end_relation_of(to, message)) {
		enqueue(to, message);
	} else {
		message_free(message);
	}
}

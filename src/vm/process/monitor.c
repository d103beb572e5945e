/* Monitors and aliases, and the signals that a dying process sends through its relations. */
#include "vm/memory/heap.h"
#include "vm/process/mailbox.h"
#include "vm/process/registry.h"
#include "vm/process/signal_parts.h"
#include "vm/terms/atom.h"
#include "vm/vm.h"

/* ---- monitors and aliases ---- */

void signal_prioritise_monitor(struct process *p, term ref)
{
	struct relation *monitor = relation_find_ref(p, ref);

	if (!monitor)
		return;
	monitor->has_priority = true;
	if (monitor->peer)
		monitor->peer->has_priority = true;
}

/* Removes the messages that p has sent to this alias of its own and not taken in yet. */
static void drop_alias_messages(struct process *p, const struct relation *relation)
{
	struct message *next;

	for (struct message *m = p->has_own_outside ? p->mailbox.first : NULL; m; m = next) {
		next = m->next;
		if (m->is_taken_in || m->sender != p->pid ||
		    m->alias_counter != relation->ref_counter)
			continue;
		if (p->mailbox.save == m)
			p->mailbox.save = next;
		mailbox_remove(p, m);
	}
}

/* Returns a new {Tag, Ref, process, Object, Reason}; `end` is either end of the monitor. */
static struct message *make_down(const struct relation *end, term reason)
{
	size_t words = term_copy_words(end->tag) + term_copy_words(reason) + REF_WORDS + 16;
	struct message *message = message_new_room(words);
	term *hp = message->words;
	term *ref = hp;
	term monitored = end->kind == RELATION_MONITORED ? end->owner->pid : end->other;
	const struct process *process =
		monitored == TERM_NONE ? NULL : process_find(end->owner->vm, monitored);
	bool is_port = process && process->is_port;
	term object = is_port ? process_known_as(process) : monitored, tag;

	ref[0] = header_make(KIND_REF, 3);
	ref[1] = end->ref_pid;
	ref[2] = end->ref_counter;
	ref[3] = end->ref_flags;
	hp += REF_WORDS;
	if (end->name != TERM_NONE)
		object = tuple_build2(&hp, end->name, A_nohost);
	tag = term_copy(end->tag, &hp, &message->off_heap);
	reason = term_copy(reason, &hp, &message->off_heap);
	message->content = tuple_build5(&hp, tag, boxed_make(ref), is_port ? A_port : A_process,
					object, reason);
	message->is_priority = end->has_priority;
	message->sender = monitored == TERM_NONE ? (term)A_system : monitored;
	return message;
}

/* Sends DOWN to the monitoring process. True: the DOWN is in transit, and the monitor must stay
 * until it is delivered. */
static bool send_down(struct vm *vm, term to, const struct relation *end, term reason)
{
	struct process *monitoring = process_find(vm, to);
	struct message *message = make_down(end, reason);

	if (!signal_goes_by_channel(vm, message->sender, to)) {
		signal_enqueue(monitoring, message);
		return false;
	}
	message->send_event = SIGNAL_DOWN;
	message->alias_counter = end->ref_counter;
	signal_put_in_transit(vm, to, message);
	return true;
}

static term make_alias(struct process *p, struct relation *relation, unsigned alias_flags)
{
	unsigned once = alias_flags & (ALIAS_REPLY | ALIAS_REPLY_DEMONITOR) ? REF_ONCE : 0;
	term ref = process_make_ref(p, alias_flags ? REF_ALIAS | once : 0);

	relation_set_ref(relation, ref_pid_value(ref), ref_counter(ref));
	relation->ref_flags = (uint8_t)ref_flags(ref);
	relation->alias = (uint8_t)alias_flags;
	return ref;
}

/* Answers a monitor with noproc. Under exploration the monitor stays until the answer comes. */
static void refuse_monitor(struct relation *mine)
{
	struct message *message = make_down(mine, A_noproc);
	struct process *p = mine->owner;

	if (p->vm->is_explored && !p->is_system) {
		message->send_event = SIGNAL_DOWN;
		message->alias_counter = mine->ref_counter;
		signal_answer_noproc(p, mine->other, message);
		return;
	}
	signal_enqueue(p, message);
	relation_end_monitor(mine);
}

/* Gives the monitor `mine` its other end, in the monitored process. */
static void watch(struct relation *mine, struct process *other)
{
	struct relation *theirs = relation_add(other, RELATION_MONITORED, mine->owner->pid);

	relation_set_ref(theirs, mine->ref_pid, mine->ref_counter);
	theirs->ref_flags = mine->ref_flags;
	theirs->alias = mine->alias;
	theirs->name = mine->name;
	relation_set_tag(theirs, mine->tag);
	relation_connect(mine, theirs);
}

static term make_monitor(struct process *p, term pid, term tag, unsigned alias_flags,
			 struct relation **mine)
{
	*mine = relation_add(p, RELATION_MONITOR, pid);
	relation_set_tag(*mine, tag);
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
		signal_request_tie(p, pid, message, SIGNAL_MONITOR);
	} else if (other && signal_is_reached(other, p)) {
		watch(mine, other);
	} else {
		refuse_monitor(mine);
	}
	return ref;
}

void signal_accept_monitor(struct process *to, const struct message *request)
{
	struct relation *theirs = relation_add(to, RELATION_MONITORED, request->sender);
	term ref = tuple_element(request->content, 1);
	term object = tuple_element(request->content, 3);

	relation_set_ref(theirs, ref_pid_value(ref), ref_counter(ref));
	theirs->ref_flags = (uint8_t)ref_flags(ref);
	theirs->name = term_is_tuple(object) ? tuple_element(object, 0) : TERM_NONE;
	relation_set_tag(theirs, tuple_element(request->content, 0));
}

void signal_accept_demonitor(struct process *to, const struct message *request)
{
	struct relation *r = to->relations;

	while (r && !(r->kind == RELATION_MONITORED && r->other == request->sender &&
		      r->ref_counter == request->alias_counter))
		r = r->next;
	if (r)
		relation_free(r);
}

/* Does the process at the other end hear by a signal that the monitor has ended, if at all? */
static bool is_by_channel(const struct relation *mine)
{
	return mine->kind == RELATION_MONITOR && mine->other != TERM_NONE &&
	       signal_goes_by_channel(mine->owner->vm, mine->owner->pid, mine->other);
}

void signal_unwatch(struct relation *mine, bool is_step)
{
	struct process *p = mine->owner;
	struct message *message;

	if (!is_by_channel(mine)) {
		relation_let_go(mine, is_step);
		return;
	}
	if (mine->peer)
		mine->peer->peer = NULL;
	mine->peer = NULL;
	if (!p->vm->tells_demonitors)
		return;
	message = message_new(NIL, p->pid);
	message->alias_counter = mine->ref_counter;
	signal_request_tie(p, mine->other, message, SIGNAL_DEMONITOR);
}

bool signal_demonitor(struct process *p, term ref, bool is_step)
{
	struct relation *monitor = relation_find_ref(p, ref);

	if (!monitor || monitor->kind != RELATION_MONITOR)
		return false;
	if (monitor->is_let_go) {
		relation_end_monitor(monitor);
		return false;
	}
	if (monitor->alias & (ALIAS_DEMONITOR | ALIAS_REPLY_DEMONITOR))
		drop_alias_messages(p, monitor);
	signal_unwatch(monitor, is_step);
	relation_end_monitor(monitor);
	return true;
}

term signal_alias(struct process *p, unsigned alias_flags)
{
	return make_alias(p, relation_add(p, RELATION_ALIAS, p->pid), alias_flags);
}

bool signal_unalias(struct process *p, term ref)
{
	struct relation *relation = relation_find_ref(p, ref);

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
	const struct relation *monitor = relation_find_ref(p, ref);

	return relation_is_monitor(monitor) ? monitor->other : TERM_NONE;
}

bool signal_alias_goes(struct process *p, term ref)
{
	const struct relation *relation = relation_find_ref(p, ref);

	return (ref_flags(ref) & REF_ALIAS) &&
	       (!relation || (relation->is_let_go && !relation->alias) ||
		relation->alias & (ALIAS_DEMONITOR | ALIAS_REPLY_DEMONITOR));
}

/* ---- dying ---- */

/* A process that suspends others sends the exit signals of its links first: suspend.h. */
static bool goes_before(const struct relation *a, const struct relation *b)
{
	if (a->owner->suspensions && (a->kind == RELATION_LINK) != (b->kind == RELATION_LINK))
		return a->kind == RELATION_LINK;
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
	return relation->kind == RELATION_LINK ? signal_make_exit(p->pid, p->exit_reason)
					       : make_down(relation, p->exit_reason);
}

static void notify_monitor(struct relation *relation, term reason)
{
	struct process *p = relation->owner;
	struct relation *peer = relation->peer;

	if (relation->is_let_go ||
	    (!peer && !signal_goes_by_channel(p->vm, p->pid, relation->other)))
		return;
	if (send_down(p->vm, relation->other, relation, reason))
		return;
	relation->peer = peer->peer = NULL;
	relation_fulfil_monitor(peer);
}

bool signal_exit_next(struct process *p, term reason)
{
	struct relation *relation = signal_exit_relation(p);
	struct relation *peer;

	if (!relation)
		return false;
	peer = relation->peer;
	if (relation->kind == RELATION_MONITORED)
		notify_monitor(relation, reason);
	else if (is_by_channel(relation))
		signal_unwatch(relation, true);
	else if (relation->kind == RELATION_LINK && !relation->is_let_go)
		signal_exit_as(p->vm, p->pid, relation->other, reason, true,
			       peer && peer->has_priority);
	if (relation->kind != RELATION_MONITORED && peer && !p->vm->is_explored)
		relation_free(peer); /* under exploration it stays: see relation_let_go */
	relation_free(relation);
	return true;
}

/* Announcing how a process ends: which other processes, names and tables hear of it. */
#include "beam/announce_parts.h"

#include "vm/ets/ets.h"
#include "vm/process/boot.h"
#include "vm/process/registry.h"
#include "vm/process/signal.h"
#include "vm/process/suspend.h"
#include "vm/terms/atom.h"

/* The DOWN for a process that watches p, or did so when p began to die. An alias that goes with the
 * monitor stands for both. Where the end of p is a finding unless another process hears of it, it
 * matters whether the watching process has ended before. */
static void announce_down(struct objects *objects, struct process *p,
			  const struct relation *relation, struct event *event)
{
	bool alias_goes = relation->alias & (ALIAS_DEMONITOR | ALIAS_REPLY_DEMONITOR);
	bool is_to_system = announce_is_of_system(p->vm, relation->other);
	uint64_t object;

	event->kind = EVENT_SEND;
	if (alias_goes)
		object = object_reference(objects, relation->ref_pid, relation->ref_counter);
	else
		object = object_monitor(objects, relation->ref_pid, relation->ref_counter);
	announce_add(event, object, ACCESS_WRITE);
	if (!relation->is_let_go && !is_to_system)
		announce_add(event, object_mailbox(relation->other), ACCESS_SEND);
	announce_add(event, object_relations(p->pid), ACCESS_READ);
	if (is_to_system)
		announce_wakes_system(objects, announce_system_name(p->vm, relation->other),
				      event);
	else if (objects_know(objects, LEARNED_ENDS) && p->exit_reason != A_normal)
		announce_add(event, object_process(relation->other), ACCESS_READ);
}

/* The end of a link: an exit signal, of which nobody may take notice. */
static bool announce_unlinking(struct objects *objects, struct process *p,
			       const struct relation *relation, struct event *event)
{
	const struct process *other = process_find(p->vm, relation->other);
	bool is_noticed = p->exit_reason != A_normal ||
			  (other ? other->trap_exit : objects_know(objects, LEARNED_TRAPS));
	bool is_tie = objects_know(objects, LEARNED_TIES);

	if (is_noticed && p->exit_reason == A_normal)
		objects_learn(objects, LEARNED_TRAPS); /* it may have gone when this is taken */
	if (!is_noticed && !is_tie && !objects_know(objects, LEARNED_TRAPS))
		return false;
	event->kind = EVENT_EXIT_SIGNAL;
	announce_add(event, object_signals(relation->other), ACCESS_ADD);
	announce_add(event, object_relations(p->pid), ACCESS_READ);
	if (announce_is_of_system(p->vm, relation->other)) {
		announce_wakes_system(objects, announce_system_name(p->vm, relation->other),
				      event);
		return true;
	}
	if (is_noticed && !relation->is_let_go)
		announce_add(event, object_mailbox(relation->other), ACCESS_SEND);
	if (is_tie)
		announce_add(event, object_process(relation->other), ACCESS_ADD);
	return true;
}

static bool announce_relation(struct objects *objects, struct process *p, struct event *event)
{
	const struct relation *relation = signal_exit_relation(p);

	if ((relation->kind == RELATION_LINK || relation->kind == RELATION_MONITORED) &&
	    signal_goes_by_channel(p->vm, p->pid, relation->other)) {
		if (relation->kind == RELATION_LINK && relation->is_let_go)
			return false;
		event->kind = relation->kind == RELATION_LINK ? EVENT_EXIT_SIGNAL : EVENT_SEND;
		announce_add(event, object_relations(p->pid), ACCESS_READ);
		return true;
	}
	switch (relation->kind) {
	case RELATION_MONITORED:
		announce_down(objects, p, relation, event);
		return true;
	case RELATION_LINK:
		return announce_unlinking(objects, p, relation, event);
	case RELATION_MONITOR:
		event->kind = EVENT_DEMONITOR;
		if (relation->other == TERM_NONE || !objects_know(objects, LEARNED_TIES))
			return false;
		if (signal_goes_by_channel(p->vm, p->pid, relation->other)) {
			announce_add(event, object_relations(p->pid), ACCESS_READ);
			return true;
		}
		announce_add_tie(objects, event, relation->other);
		return true;
	default:
		return false;
	}
}

bool announce_is_lethal(struct process *p, bool has_trapped)
{
	const struct relation *relation;
	const struct process *other;
	term reason;

	if (p->vm->is_async && (p->announced.effect != EFFECT_EXIT_SIGNAL ||
				signal_goes_by_channel(p->vm, p->pid, p->announced.args[0])))
		return false; /* its delivery may be */
	if (p->announced.effect == EFFECT_EXIT_SIGNAL) {
		other = process_find(p->vm, p->announced.args[0]);
		reason = p->announced.args_len > 1 ? p->announced.args[1] : A_kill;
		return reason == A_kill || (!(other ? other->trap_exit : has_trapped) &&
					    (reason != A_normal || other == p));
	}
	if (p->status != PROCESS_EXITING || !p->relations)
		return false;
	relation = signal_exit_relation(p);
	other = process_find(p->vm, relation->other);
	return relation->kind == RELATION_LINK && p->exit_reason != A_normal &&
	       !relation->is_let_go && !(other ? other->trap_exit : has_trapped);
}

/* p is dying: its first table is deleted or given to its heir. */
static void announce_drop(struct objects *objects, struct process *p, struct event *event)
{
	const struct ets_table *table = p->tables;

	event->kind = EVENT_ETS_DROP;
	announce_add(event, object_table(objects, p->vm, table->is_named ? table->name
								    : boxed_make(table->id)),
		     ACCESS_WRITE);
	announce_add(event, object_relations(p->pid), ACCESS_READ);
	if (!term_is_pid(table->heir) || table->heir == p->pid) {
		if (objects_know(objects, LEARNED_TABLES))
			announce_add(event, OBJECT_ALL_TABLES, ACCESS_ADD);
	} else if (objects_know(objects, LEARNED_TABLES)) {
		announce_world(event->kind, event); /* too many objects, if the heir has ended */
	} else {
		announce_add(event, object_process(table->heir), ACCESS_READ);
		if (!objects->is_async)
			announce_add(event, object_mailbox(table->heir), ACCESS_SEND);
	}
}

bool announce_exit(struct objects *objects, struct process *p, struct event *event)
{
	if (p->status != PROCESS_EXITING) {
		event->kind = EVENT_FINISH;
		announce_add(event, object_process(p->pid), ACCESS_WRITE);
		if (objects_know(objects, LEARNED_PROCESSES))
			announce_add(event, OBJECT_ALL_PROCESSES, ACCESS_ADD);
		if (p == p->vm->test && objects->stops_timers)
			announce_add(event, OBJECT_THE_CLOCK, ACCESS_READ);
		return true;
	}
	if (p->timers || p->receive_timer)
		return false;
	if (p->tables) {
		announce_drop(objects, p, event);
		return true;
	}
	if (p->fixations) {
		event->kind = EVENT_ETS_DROP;
		announce_add(event, object_table(objects, p->vm, boxed_make(p->fixations->id)),
			     ACCESS_WRITE);
		return true;
	}
	if (p->exit_name != TERM_NONE) {
		event->kind = EVENT_UNREGISTER;
		announce_add(event, object_name(objects, p->exit_name), ACCESS_WRITE);
		announce_add(event, OBJECT_ALL_NAMES, ACCESS_ADD);
		return true;
	}
	if (suspension_at_exit(p))
		return announce_hold(objects, p, suspension_at_exit(p)->other, ACCESS_UNSHARE,
				     event);
	return p->relations && announce_relation(objects, p, event);
}

#include "vm/process/relation.h"

#include "vm/memory/region.h"
#include "vm/process/mailbox.h"
#include "vm/vm.h"

struct relation *relation_add(struct process *p, enum relation_kind kind, term other)
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

void relation_free_pair(struct relation *relation)
{
	if (relation->peer)
		relation_free(relation->peer);
	relation_free(relation);
}

void relation_let_go(struct relation *mine, bool is_step)
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

struct relation *relation_find_link(struct process *p, term pid)
{
	for (struct relation *r = p->relations; r; r = r->next)
		if (r->kind == RELATION_LINK && r->other == pid && r->peer)
			return r;
	return NULL;
}

struct relation *relation_find(struct process *p, uint64_t pid, uint64_t counter)
{
	for (struct relation *r = p->relations; r; r = r->next)
		if ((r->kind == RELATION_MONITOR || r->kind == RELATION_ALIAS) &&
		    r->ref_pid == pid && r->ref_counter == counter)
			return r;
	return NULL;
}

struct relation *relation_find_ref(struct process *p, term ref)
{
	return relation_find(p, ref_pid_value(ref), ref_counter(ref));
}

struct relation *relation_find_half_link(struct process *p, term pid)
{
	for (struct relation *r = p->relations; r; r = r->next)
		if (r->kind == RELATION_LINK && r->other == pid && !r->peer)
			return r;
	return NULL;
}

void relation_end_monitor(struct relation *monitor)
{
	if (monitor->alias && !(monitor->alias & (ALIAS_DEMONITOR | ALIAS_REPLY_DEMONITOR)))
		monitor->kind = RELATION_ALIAS;
	else
		relation_free(monitor);
}

#include "vm/process/relation.h"

#include "vm/memory/region.h"
#include "vm/process/mailbox.h"
#include "vm/terms/atom.h"
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

void relation_retire(struct relation *relation)
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
		if (r->kind == RELATION_LINK && r->other == pid && !r->peer && !r->is_let_go)
			return r;
	return NULL;
}

void relation_connect(struct relation *mine, struct relation *theirs)
{
	mine->peer = theirs;
	theirs->peer = mine;
}

void relation_set_tag(struct relation *relation, term tag)
{
	relation->tag = tag;
	if (!term_is_immediate(tag)) {
		relation->tag_message = message_new(tag, A_system);
		relation->tag = relation->tag_message->content;
	}
}

void relation_end_monitor(struct relation *monitor)
{
	if (monitor->alias && !(monitor->alias & (ALIAS_DEMONITOR | ALIAS_REPLY_DEMONITOR)))
		monitor->kind = RELATION_ALIAS;
	else
		relation_free(monitor);
}

void relation_fulfil_monitor(struct relation *monitor)
{
	if (!monitor->owner->vm->is_explored) {
		relation_end_monitor(monitor);
		return;
	}
	if (monitor->alias & (ALIAS_DEMONITOR | ALIAS_REPLY_DEMONITOR))
		monitor->alias = 0;
	relation_retire(monitor);
}

bool relation_is_monitor(const struct relation *relation)
{
	return relation && relation->kind == RELATION_MONITOR && !relation->is_let_go;
}

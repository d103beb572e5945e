#include "vm/process/relation.h"

#include "base/rng.h"
#include "vm/memory/region.h"
#include "vm/process/mailbox.h"
#include "vm/terms/atom.h"
#include "vm/vm.h"

/* ---- the index ---- */

enum { INDEX_FROM = 32 }; /* relations; fewer are searched one by one */

static bool is_in_index(const struct relation *relation)
{
	return relation->kind == RELATION_LINK ||
	       (relation->kind != RELATION_MONITORED && relation->ref_counter);
}

static uint64_t key_of_ref(uint64_t pid, uint64_t counter)
{
	return rng_mix(rng_mix(pid) + counter);
}

static struct relation **bucket_of(const struct process *p, uint64_t key)
{
	return &p->relation_index[key & (p->relation_buckets - 1)];
}

static struct relation **find_bucket(const struct relation *relation)
{
	if (relation->kind == RELATION_LINK)
		return bucket_of(relation->owner, rng_mix(relation->other));
	return bucket_of(relation->owner, key_of_ref(relation->ref_pid, relation->ref_counter));
}

static void add_to_index(struct relation *relation)
{
	struct relation **bucket;

	if (!relation->owner->relation_index || !is_in_index(relation))
		return;
	bucket = find_bucket(relation);
	relation->index_next = *bucket;
	*bucket = relation;
}

static void remove_from_index(struct relation *relation)
{
	struct relation **link;

	if (!relation->owner->relation_index || !is_in_index(relation))
		return;
	link = find_bucket(relation);
	while (*link && *link != relation)
		link = &(*link)->index_next;
	if (*link)
		*link = relation->index_next;
}

static void grow_index(struct process *p)
{
	relation_index_release(p);
	p->relation_buckets = p->relations_len * 2;
	while (p->relation_buckets & (p->relation_buckets - 1))
		p->relation_buckets &= p->relation_buckets - 1;
	p->relation_index = region_zalloc(p->relation_buckets * sizeof(*p->relation_index));
	for (struct relation *r = p->relations; r; r = r->next)
		add_to_index(r);
}

void relation_index_release(struct process *p)
{
	if (p->relation_index)
		region_free(p->relation_index, p->relation_buckets * sizeof(*p->relation_index));
	p->relation_index = NULL;
}

/* Where to look for a relation with this key: a bucket, or all relations. */
static struct relation *first_of(struct process *p, uint64_t key)
{
	bool is_indexed = p->relation_index && !p->vm->is_explored;

	return is_indexed ? *bucket_of(p, key) : p->relations;
}

static struct relation *next_of(const struct relation *relation)
{
	const struct process *p = relation->owner;

	return p->relation_index && !p->vm->is_explored ? relation->index_next : relation->next;
}

/* ---- adding and removing ---- */

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
	if (++p->relations_len >= INDEX_FROM && p->relations_len >= p->relation_buckets)
		grow_index(p);
	else if (kind == RELATION_LINK)
		add_to_index(relation);
	return relation;
}

void relation_set_ref(struct relation *relation, uint64_t pid, uint64_t counter)
{
	relation->ref_pid = pid;
	relation->ref_counter = counter;
	add_to_index(relation);
}

void relation_free(struct relation *relation)
{
	remove_from_index(relation);
	relation->owner->relations_len--;
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

/* Moves the relations of the list that are links (or are not) to the front of p's list, which
 * reverses their order. */
static struct relation *move_to_front(struct process *p, struct relation *list, bool are_links)
{
	struct relation *rest = NULL, **end = &rest;

	while (list) {
		struct relation *relation = list;

		list = list->next;
		if ((relation->kind == RELATION_LINK) != are_links) {
			*end = relation;
			end = &relation->next;
			continue;
		}
		relation->prev = NULL;
		relation->next = p->relations;
		if (p->relations)
			p->relations->prev = relation;
		p->relations = relation;
	}
	*end = NULL;
	return rest;
}

void relation_order_for_death(struct process *p)
{
	struct relation *list = p->relations;

	p->relations = NULL;
	list = move_to_front(p, list, false);
	move_to_front(p, list, true);
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
	peer->lost_since = is_step ? 0 : mine->owner->vm->step + 1;
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
	for (struct relation *r = first_of(p, rng_mix(pid)); r; r = next_of(r))
		if (r->kind == RELATION_LINK && r->other == pid && r->peer)
			return r;
	return NULL;
}

struct relation *relation_find(struct process *p, uint64_t pid, uint64_t counter)
{
	for (struct relation *r = first_of(p, key_of_ref(pid, counter)); r; r = next_of(r))
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
	for (struct relation *r = first_of(p, rng_mix(pid)); r; r = next_of(r))
		if (r->kind == RELATION_LINK && r->other == pid && !r->peer && !r->is_let_go &&
		    !r->is_over)
			return r;
	return NULL;
}

struct relation *relation_find_end(struct process *p, term pid)
{
	for (struct relation *r = first_of(p, rng_mix(pid)); r; r = next_of(r))
		if (r->kind == RELATION_LINK && r->other == pid)
			return r;
	return NULL;
}

bool relation_is_link(const struct relation *link)
{
	return link->kind == RELATION_LINK && !link->is_let_go && !link->is_over;
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

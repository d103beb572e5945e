#include "beam/circle.h"

#include "beam/conduct_parts.h"
#include "vm/process/signal.h"
#include "vm/terms/atom.h"

enum { DEPTH_MAX = 8 };

/* ---- requests ---- */

static bool mentions(term t, uint64_t value, unsigned depth)
{
	if (term_is_pid(t))
		return pid_value(t) == value;
	if (term_is_ref(t))
		return ref_pid_value(t) == value;
	if (!depth)
		return false;
	for (size_t i = 0; term_is_tuple(t) && i < tuple_size(t); i++)
		if (mentions(tuple_element(t, i), value, depth - 1))
			return true;
	for (; term_is_cons(t); t = cons_tail(t))
		if (mentions(cons_head(t), value, depth - 1))
			return true;
	return term_is_ref(t) && ref_pid_value(t) == value; /* [alias | Ref] */
}

bool circle_is_request(const struct process *p, term message)
{
	return mentions(message, pid_value(p->pid), DEPTH_MAX);
}

/* ---- edges ---- */

/* Would p take the news that the other end of this relation has ended? */
static bool awaits_end(struct process *p, const struct relation *relation)
{
	term ref[REF_WORDS] = {header_make(KIND_REF, REF_WORDS - 1), relation->ref_pid,
			       relation->ref_counter, relation->ref_flags};
	term down[6] = {header_make(KIND_TUPLE, 5), relation->tag, boxed_make(ref), A_process,
			relation->other, A_normal};
	term exit[4] = {header_make(KIND_TUPLE, 3), A_EXIT, relation->other, A_normal};

	if (relation->kind == RELATION_MONITOR)
		return probe_now(p, boxed_make(down)) == STEP_MATCHED;
	return relation->kind == RELATION_LINK && p->trap_exit &&
	       probe_now(p, boxed_make(exit)) == STEP_MATCHED;
}

static bool waits_for(struct conductor *c, uint32_t from, uint32_t to)
{
	struct slot *slot = &c->slots.items[from];

	if (slot->asked == to + 1)
		return true;
	for (const struct relation *r = slot->process->relations; r; r = r->next)
		if (r->peer && r->peer->owner == c->slots.items[to].process &&
		    awaits_end(slot->process, r))
			return true;
	return false;
}

static bool is_waiting(const struct slot *slot)
{
	return slot->process && slot->wait == SLOT_RECEIVE && !slot->process->is_port;
}

/* ---- circles ---- */

/* Depth first from the last of the path; true when it comes back to the first. */
static bool extend(struct conductor *c, struct actor_vec *path, bool *seen)
{
	uint32_t last = *vec_last(path);

	for (uint32_t next = 0; next < c->slots.len; next++) {
		if (!is_waiting(&c->slots.items[next]) || (seen[next] && next != path->items[0]) ||
		    next == last || !waits_for(c, last, next))
			continue;
		if (next == path->items[0])
			return true;
		seen[next] = true;
		*vec_push(path) = next;
		if (extend(c, path, seen))
			return true;
		path->len--;
	}
	return false;
}

void circle_find(struct conductor *c, struct actor_vec *circle)
{
	bool *seen = mem_zalloc(c->slots.len + 1);
	bool found = false;

	for (uint32_t i = 0; i < c->slots.len && !found; i++) {
		if (!is_waiting(&c->slots.items[i]))
			continue;
		memset(seen, 0, c->slots.len);
		circle->len = 0;
		*vec_push(circle) = i;
		found = extend(c, circle, seen);
	}
	if (!found)
		circle->len = 0;
	mem_free(seen);
}

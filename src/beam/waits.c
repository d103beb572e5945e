#include "beam/waits.h"

#include "beam/conduct_parts.h"
#include "vm/process/signal.h"
#include "vm/terms/atom.h"

/* A request names its sender near the top of a small term. A term of a thousand bytes can have 2^60
 * parts, so the number of parts looked at has a limit too. */
enum { DEPTH_MAX = 8, PARTS_MAX = 4096 };

/* ---- requests ---- */

static bool mentions(term t, uint64_t value, unsigned depth, unsigned *parts)
{
	if (term_is_pid(t))
		return pid_value(t) == value;
	if (term_is_ref(t))
		return ref_pid_value(t) == value;
	if (!depth || !*parts)
		return false;
	(*parts)--;
	for (size_t i = 0; term_is_tuple(t) && i < tuple_size(t); i++)
		if (mentions(tuple_element(t, i), value, depth - 1, parts))
			return true;
	for (; term_is_cons(t) && *parts; t = cons_tail(t)) {
		(*parts)--;
		if (mentions(cons_head(t), value, depth - 1, parts))
			return true;
	}
	return term_is_ref(t) && ref_pid_value(t) == value; /* [alias | Ref] */
}

bool waits_is_request(const struct process *p, term message)
{
	unsigned parts = PARTS_MAX;

	return mentions(message, pid_value(p->pid), DEPTH_MAX, &parts);
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
	return relation_is_link(relation) && p->trap_exit &&
	       probe_now(p, boxed_make(exit)) == STEP_MATCHED;
}

static void add_edge(struct conductor *c, const struct slot *from, uint32_t to, bool is_end)
{
	const struct slot *slot = to < c->slots.len ? &c->slots.items[to] : NULL;

	if (slot && slot->process && slot->wait == SLOT_RECEIVE && !slot->process->is_port)
		*vec_push(&c->waits) =
			(struct wait){.from = (uint32_t)(from - c->slots.items), .to = to,
				      .is_end = is_end};
}

void waits_add(struct conductor *c, struct slot *slot)
{
	if (slot->asked)
		add_edge(c, slot, slot->asked - 1, false);
	for (const struct relation *r = slot->process->relations; r; r = r->next) {
		const struct process *other = r->peer ? r->peer->owner : NULL;

		if (is_actor(other) && awaits_end(slot->process, r))
			add_edge(c, slot, other->actor - 1, true);
	}
}

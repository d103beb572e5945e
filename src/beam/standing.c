#include "beam/standing.h"

#include <string.h>

#include "base/hash.h"
#include "beam/probe.h"
#include "vm/code/code.h"
#include "vm/process/mailbox.h"
#include "vm/terms/atom.h"
#include "vm/terms/compare.h"

enum { TUPLE_MAX = 8 };

/* ---- answers ---- */

static bool is_own_ref(const struct process *p, term t)
{
	return term_is_ref(t) && ref_pid_value(t) == pid_value(p->pid);
}

/* The reference in an element of an answer: Ref, or [alias | Ref]. */
static term find_ref(const struct process *p, term element)
{
	if (is_own_ref(p, element))
		return element;
	if (term_is_cons(element) && is_own_ref(p, cons_tail(element)))
		return cons_tail(element);
	return TERM_NONE;
}

/* Would the receive take the same message with another reference at this place? */
static bool takes_other_ref(struct process *p, term message, size_t at, term ref)
{
	term tuple[1 + TUPLE_MAX], other[REF_WORDS], cell[2];
	term element = tuple_element(message, at);

	memcpy(tuple, boxed_ptr(message), (1 + tuple_size(message)) * sizeof(term));
	memcpy(other, boxed_ptr(ref), sizeof(other));
	other[2] += (uint64_t)1 << 40; /* a number that no reference of a run gets to */
	tuple[1 + at] = boxed_make(other);
	if (term_is_cons(element)) {
		cell[0] = cons_head(element);
		cell[1] = boxed_make(other);
		tuple[1 + at] = cons_make(cell);
	}
	return probe_now(p, boxed_make(tuple)) == STEP_MATCHED;
}

/* An answer carries a reference of the receiver's own, and the receive insists on it. */
static bool is_answer(struct process *p, term message)
{
	if (!term_is_tuple(message) || tuple_size(message) > TUPLE_MAX)
		return false;
	for (size_t i = 0; i < tuple_size(message); i++) {
		term ref = find_ref(p, tuple_element(message, i));

		if (ref != TERM_NONE && !takes_other_ref(p, message, i, ref))
			return true;
	}
	return false;
}

/* ---- states ---- */

static bool is_in_statem(const struct process *p)
{
	struct code_place place;

	return code_find_place(p->ip, &place) &&
	       strcmp(atom_text(place.module), "gen_statem") == 0;
}

/* #state{state_data = {State, Data}, …} of gen_statem. */
static bool is_statem_state(term t)
{
	return term_is_tuple(t) && tuple_size(t) >= 2 && term_is_atom(tuple_element(t, 0)) &&
	       strcmp(atom_text(tuple_element(t, 0)), "state") == 0 &&
	       term_is_tuple_of(tuple_element(t, 1), 2);
}

/* A hash of the values in the frame that decide how the process behaves. */
static uint64_t hash_state(const struct process *p)
{
	bool in_statem = is_in_statem(p);
	uint64_t hash = 0;

	for (const term *slot = p->e + 1; p->e && slot < p->hend; slot++) {
		if ((*slot & TAG_MASK) == TAG_HEADER)
			break; /* the frame above */
		if (term_is_local_fun(*slot))
			hash = hash_combine(hash, (uint64_t)(uintptr_t)fun_entry_of(*slot));
		else if (in_statem && is_statem_state(*slot))
			hash = hash_combine(hash,
					    term_hash(tuple_element(tuple_element(*slot, 1), 0)));
	}
	return hash;
}

/* States are numbered as they come: a number from their hash, which has addresses in it, would
 * now and then make two states one. */
static uint8_t number_state(struct standing *s, const struct process *p)
{
	enum { NUMBERS = UINT8_MAX - WAITING_STATES };
	bool is_new;
	uint64_t *number = map_put(&s->states, hash_state(p), &is_new);

	if (is_new)
		*number = s->states.len;
	return (uint8_t)(WAITING_STATES + *number % NUMBERS);
}

static uint64_t hash_dictionary(const struct pdict *dictionary)
{
	uint64_t sum = 0; /* the order of its entries depends on the order in which they came */

	for (uint32_t i = 0; i < dictionary->cap; i++) {
		const term *entry = dictionary->entries + 2 * (size_t)i;

		if (!term_is_header(entry[0])) /* neither free nor erased */
			sum += hash_combine(term_hash(entry[0]), term_hash(entry[1]));
	}
	return sum;
}

uint64_t standing_state(const struct process *p)
{
	uint64_t hash = hash_combine((uint64_t)(uintptr_t)p->ip, (uint64_t)(uintptr_t)p->cp);

	for (const term *slot = p->e; slot && slot < p->hend; slot++)
		hash = hash_combine(hash, (*slot & TAG_MASK) == TAG_HEADER ? *slot
									    : term_hash(*slot));
	for (uint32_t i = 0; i < p->saved_len; i++)
		hash = hash_combine(hash, term_hash(p->saved_x[i]));
	return hash_combine(hash, hash_dictionary(&p->dictionary) + p->trap_exit);
}

/* ---- callers ---- */

static uint32_t note_callers(struct standing *s, const struct process *p)
{
	struct standing_context context = {0};
	uint64_t *index, hash = 1;
	bool is_new;

	for (const term *slot = p->e; slot && slot < p->hend; slot++) {
		if (context.callers_len == s->wants_callers ||
		    context.callers_len == STANDING_CALLERS)
			break;
		if (!*slot || (*slot & TAG_MASK) != TAG_HEADER)
			continue;
		context.callers[context.callers_len++] = (const word *)(uintptr_t)*slot;
		hash = hash_combine(hash, *slot);
	}
	hash = (uint32_t)hash | 1;
	index = map_put(&s->index, hash, &is_new);
	if (is_new) {
		*index = s->contexts.len;
		*vec_push(&s->contexts) = context;
	}
	return (uint32_t)hash;
}

void standing_note(struct standing *s, struct process *p, const struct message *match,
		   struct event *event)
{
	if (s->wants_callers)
		event->context = note_callers(s, p);
	if (!s->wants_waiting || event->kind != EVENT_RECEIVE)
		return;
	event->waiting = match && is_answer(p, match->content) ? WAITING_FOR_REPLY
								: number_state(s, p);
}

const struct standing_context *standing_context(const struct standing *s, uint32_t context)
{
	const uint64_t *index = map_get(&s->index, context);

	return index ? &s->contexts.items[*index] : NULL;
}

void standing_release(struct standing *s)
{
	map_release(&s->states);
	map_release(&s->index);
	vec_release(&s->contexts);
}

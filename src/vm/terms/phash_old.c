/* phash: the hash before phash2. Everything is (hash * prime + something), with a prime for each
 * kind of term; lists are closed by one more factor, tuples by their size. */
#include "base/vec.h"
#include "vm/code/code.h"
#include "vm/terms/atom.h"
#include "vm/terms/binary.h"
#include "vm/terms/phash.h"
#include "vm/terms/remote.h"
#include "vm/vm.h"

enum prime {
	PRIME_ATOM = 268440163, PRIME_INTEGER = 268439161, PRIME_POSITIVE = 268435459,
	PRIME_NEGATIVE = 268436141, PRIME_PID = 268438633, PRIME_FLOAT = 268437017,
	PRIME_LIST = 268437511, PRIME_TUPLE = 268439627, PRIME_FUN = 268440479,
	PRIME_EXPORT = 268440577, PRIME_BITS = 268440581, PRIME_MAP = 268440593,
	PRIME_MAP_ADD = 268440611,
};

/* Marks on the stack. Their values are not terms. The entry below TUPLE_END is the size. */
enum { LIST_END = 0x04, TUPLE_END = 0x08, LIST_TAIL = 0x0c };

struct state {
	uint32_t hash;
	struct term_vec todo;
};

static void push(struct state *s, term t)
{
	*vec_push(&s->todo) = t;
}

static void step(struct state *s, uint32_t prime, uint32_t add)
{
	s->hash = s->hash * prime + add;
}

static void step_bytes(struct state *s, uint64_t value, unsigned bytes, uint32_t prime)
{
	for (unsigned i = 0; i < bytes; i++)
		step(s, prime, (value >> (8 * i)) & 0xff);
}

static void hash_integer(struct state *s, term t)
{
	bool negative = term_is_small(t) ? small_value(t) < 0 : big_is_negative(t);
	uint64_t top;

	if (term_is_small(t)) {
		top = negative ? 0 - (uint64_t)small_value(t) : (uint64_t)small_value(t);
	} else {
		for (size_t i = 0; i + 1 < big_len(t); i++)
			step_bytes(s, big_limbs(t)[i], 8, PRIME_INTEGER);
		top = big_limbs(t)[big_len(t) - 1];
	}
	step_bytes(s, top, top >> 32 ? 8 : 4, PRIME_INTEGER);
	s->hash *= negative ? PRIME_NEGATIVE : PRIME_POSITIVE;
}

static void hash_bits(struct state *s, term t)
{
	struct bits b = bits_of(t);
	size_t whole = b.size & ~(size_t)7;
	unsigned rest = b.size % 8;

	for (size_t i = 0; i < whole; i += 8)
		step(s, PRIME_ATOM, (uint32_t)bits_get(b.bytes, b.offset + i, 8));
	if (rest) {
		step(s, PRIME_ATOM, (uint32_t)bits_get(b.bytes, b.offset + whole, rest));
		step(s, PRIME_BITS, rest);
	}
	step(s, PRIME_NEGATIVE, (uint32_t)(whole / 8));
}

/* Bytes at the front are hashed as bytes; a tail that is not a list is hashed last. */
static void hash_list(struct state *s, term t)
{
	while (term_is_cons(t)) {
		term head = cons_head(t);

		if (!term_is_small(head) || small_value(head) < 0 || small_value(head) > 255) {
			push(s, cons_tail(t));
			push(s, LIST_TAIL);
			push(s, head);
			return;
		}
		step(s, PRIME_INTEGER, (uint32_t)small_value(head));
		t = cons_tail(t);
	}
	push(s, LIST_END);
	push(s, t);
}

static void push_all(struct state *s, const term *items, size_t n)
{
	while (n > 0)
		push(s, items[--n]);
}

static void hash_named(struct state *s, term t)
{
	if (term_is_export_fun(t)) {
		const struct export *export = export_of_fun(t);

		step(s, PRIME_EXPORT, export->arity);
		step(s, PRIME_ATOM, phash_atom(export->module));
		step(s, PRIME_ATOM, phash_atom(export->function));
	} else {
		const struct fun_entry *entry = fun_entry_of(t);

		step(s, PRIME_FUN, (uint32_t)fun_free_len(t));
		step(s, PRIME_ATOM, phash_atom(entry->module));
		step(s, PRIME_INTEGER, entry->old_index);
		step(s, PRIME_INTEGER, entry->old_uniq);
		push_all(s, fun_free(t), fun_free_len(t));
	}
}

static void hash_float(struct state *s, term t)
{
	double value = float_value(t) == 0 ? 0.0 : float_value(t);
	uint64_t raw;

	memcpy(&raw, &value, sizeof(raw));
	step(s, PRIME_FLOAT, (uint32_t)raw ^ (uint32_t)(raw >> 32));
}

static void hash_boxed(struct state *s, term t)
{
	switch (header_kind(*boxed_ptr(t))) {
	case KIND_TUPLE:
		push(s, tuple_size(t));
		push(s, TUPLE_END);
		push_all(s, tuple_elements(t), tuple_size(t));
		break;
	case KIND_BIG_POS:
	case KIND_BIG_NEG:
		hash_integer(s, t);
		break;
	case KIND_FLOAT:
		hash_float(s, t);
		break;
	case KIND_FUN:
	case KIND_EXPORT:
		hash_named(s, t);
		break;
	case KIND_REF:
		vm_get()->relied_on |= RELIED_ON_NUMBERS;
		step_bytes(s, ref_pid_value(t) * 31 + ref_counter(t), 4, PRIME_TUPLE);
		s->hash *= PRIME_FUN;
		break;
	case KIND_FLATMAP:
	case KIND_HASHMAP:
		step(s, PRIME_MAP, (uint32_t)PRIME_MAP_ADD + phash2(t));
		break;
	case KIND_REMOTE_PID:
		step_bytes(s, remote_number(t), 4, PRIME_PID);
		s->hash *= PRIME_FLOAT;
		break;
	case KIND_REMOTE_PORT:
	case KIND_REMOTE_REF:
		if (remote_number(t) >> 32)
			vm_unsupported(vm_get(), "not supported: erlang:phash/2 of a port of another "
						 "node with a number of more than 32 bits");
		step_bytes(s, remote_number(t), 4, PRIME_TUPLE);
		s->hash *= PRIME_FUN;
		break;
	default:
		hash_bits(s, t);
	}
}

static void hash_immediate(struct state *s, term t)
{
	if (term_is_small(t)) {
		hash_integer(s, t);
	} else if (term_is_atom(t)) {
		step(s, PRIME_ATOM, phash_atom(t));
	} else if (t == NIL) {
		step(s, PRIME_POSITIVE, 1);
	} else if (term_is_pid(t)) {
		vm_get()->relied_on |= RELIED_ON_NUMBERS;
		step_bytes(s, pid_value(t) & 0x7fff, 4, PRIME_PID); /* without its serial */
		s->hash *= PRIME_FLOAT;
	} else {
		step_bytes(s, pid_value(t), 4, PRIME_TUPLE);
		s->hash *= PRIME_FUN;
	}
}

uint32_t phash(term t)
{
	struct state s = {0};

	push(&s, t);
	while (s.todo.len) {
		t = vec_pop(&s.todo);
		if (t == LIST_TAIL) {
			t = vec_pop(&s.todo);
			if (!term_is_cons(t))
				push(&s, LIST_END);
		}
		if (t == LIST_END)
			s.hash *= PRIME_LIST;
		else if (t == TUPLE_END)
			step(&s, PRIME_TUPLE, (uint32_t)vec_pop(&s.todo));
		else if (term_is_cons(t))
			hash_list(&s, t);
		else if (term_is_boxed(t))
			hash_boxed(&s, t);
		else
			hash_immediate(&s, t);
	}
	vec_release(&s.todo);
	return s.hash;
}

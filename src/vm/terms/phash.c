/* phash2: Bob Jenkins' 1996 mix over 32-bit pieces, each kind of term with a constant of its own (a
 * multiple of the golden ratio). phash: multiplication by a prime for each kind. */
#include "vm/terms/phash.h"

#include "base/vec.h"
#include "vm/code/code.h"
#include "vm/terms/atom.h"
#include "vm/terms/binary.h"
#include "vm/terms/remote.h"
#include "vm/terms/tmap.h"
#include "vm/terms/view.h"
#include "vm/vm.h"

#define GOLDEN 0x9e3779b9u

/* Multiples of GOLDEN by kind. */
enum salt {
	SALT_NIL = 2, SALT_ATOM = 3, SALT_STRING = 4, SALT_PID = 5, SALT_PORT = 6, SALT_REF = 7,
	SALT_TUPLE = 9, SALT_BIG_NEG = 10, SALT_BIG_POS = 11, SALT_FLOAT = 12, SALT_BINARY = 13,
	SALT_EXPORT = 14, SALT_BITS = 15, SALT_MAP = 16, SALT_MAP_END = 19,
};

static void mix(uint32_t *a, uint32_t *b, uint32_t *c)
{
	*a -= *b, *a -= *c, *a ^= *c >> 13;
	*b -= *c, *b -= *a, *b ^= *a << 8;
	*c -= *a, *c -= *b, *c ^= *b >> 13;
	*a -= *b, *a -= *c, *a ^= *c >> 12;
	*b -= *c, *b -= *a, *b ^= *a << 16;
	*c -= *a, *c -= *b, *c ^= *b >> 5;
	*a -= *b, *a -= *c, *a ^= *c >> 3;
	*b -= *c, *b -= *a, *b ^= *a << 10;
	*c -= *a, *c -= *b, *c ^= *b >> 15;
}

static uint32_t mix_pair(uint32_t hash, uint32_t x, uint32_t y, uint32_t multiple)
{
	uint32_t a = GOLDEN * multiple + x, b = GOLDEN * multiple + y;

	mix(&a, &b, &hash);
	return hash;
}

static uint32_t little32(const uint8_t *k)
{
	return k[0] | (uint32_t)k[1] << 8 | (uint32_t)k[2] << 16 | (uint32_t)k[3] << 24;
}

static uint32_t hash_block(const uint8_t *bytes, size_t len, uint32_t c)
{
	uint32_t a = GOLDEN, b = GOLDEN;
	uint8_t last[12] = {0};
	size_t left = len;

	for (; left >= 12; left -= 12, bytes += 12) {
		a += little32(bytes);
		b += little32(bytes + 4);
		c += little32(bytes + 8);
		mix(&a, &b, &c);
	}
	if (left)
		memcpy(last, bytes, left);
	a += little32(last);
	b += little32(last + 4);
	/* the lowest byte of c is for the length */
	c += (uint32_t)len + (little32(last + 8) << 8);
	mix(&a, &b, &c);
	return c;
}

uint32_t phash_atom(term atom)
{
	const struct atom_name *name = atom_name(atom);
	const uint8_t *text = (const uint8_t *)name->text;
	uint64_t h = 0;

	for (size_t i = 0; i < name->len; i++) {
		uint8_t byte = text[i];
		uint64_t top;

		/* as if Latin-1 characters were still one byte */
		if (i + 1 < name->len && (byte & 0xfe) == 0xc2 && (text[i + 1] & 0xc0) == 0x80)
			byte = (uint8_t)(byte << 6 | (text[++i] & 0x3f));
		h = (h << 4) + byte;
		top = h & 0xf0000000u;
		if (top)
			h ^= top >> 24 ^ top;
	}
	return (uint32_t)h;
}

/* ---- phash2 ---- */

/* Marks on the stack of terms still to come. Their values are not terms. */
enum { MAP_PAIR_END = 0x04, MAP_END = 0x08 };

struct state {
	uint32_t hash;
	uint32_t pairs; /* of the innermost map: the hashes of its pairs, xor-ed */
	struct term_vec todo;
};

static void push(struct state *s, term t)
{
	*vec_push(&s->todo) = t;
}

static uint32_t hash_integer(uint32_t hash, term t)
{
	uint64_t own, *limbs;
	size_t n = 1;
	bool negative;

	if (term_is_small(t)) {
		int64_t x = small_value(t);

		if (x >= -(1 << 27) && x < 1 << 27) {
			if (x < 0)
				hash = mix_pair(hash, (uint32_t)-x, 0, 1);
			return mix_pair(hash, (uint32_t)x, 0, 1);
		}
		negative = x < 0;
		own = negative ? 0 - (uint64_t)x : (uint64_t)x;
		limbs = &own;
	} else {
		negative = big_is_negative(t);
		limbs = (uint64_t *)big_limbs(t);
		n = big_len(t);
	}
	for (size_t i = 0; i < n; i++)
		hash = mix_pair(hash, (uint32_t)limbs[i], (uint32_t)(limbs[i] >> 32),
				negative ? SALT_BIG_NEG : SALT_BIG_POS);
	return hash;
}

static uint32_t hash_float(uint32_t hash, term t)
{
	double value = float_value(t) == 0 ? 0.0 : float_value(t);
	uint64_t raw;

	memcpy(&raw, &value, sizeof(raw));
	return mix_pair(hash, (uint32_t)(raw >> 32), (uint32_t)raw, SALT_FLOAT);
}

static uint32_t hash_bits(uint32_t hash, term t)
{
	uint32_t start = SALT_BINARY * GOLDEN + hash;
	struct bits b = bits_of(t);
	size_t len = b.size / 8, rest = b.size % 8;
	struct view view = {bits_start(b), len, NULL};

	if (!b.size)
		return start;
	if (b.offset % 8) {
		view.copy = mem_alloc(len + 1);
		bits_copy(view.copy, 0, b.bytes, b.offset, len * 8);
		view.bytes = view.copy;
	}
	hash = hash_block(view.bytes, len, start);
	view_close(&view);
	if (rest)
		hash = mix_pair(hash, (uint32_t)rest,
				(uint32_t)bits_get(b.bytes, b.offset + len * 8, (unsigned)rest),
				SALT_BITS);
	return hash;
}

/* Bytes at the front of a list are hashed four at a time, the rest as head and tail. */
static void hash_list(struct state *s, term t)
{
	uint32_t four = 0;
	int n = 0;

	while (term_is_cons(t)) {
		term head = cons_head(t);

		if (!term_is_small(head) || small_value(head) < 0 || small_value(head) > 255)
			break;
		four = (four << 8) + (uint32_t)small_value(head);
		if (++n == 4) {
			s->hash = mix_pair(s->hash, four, 0, SALT_STRING);
			four = 0;
			n = 0;
		}
		t = cons_tail(t);
	}
	if (n)
		s->hash = mix_pair(s->hash, four, 0, SALT_STRING);
	if (term_is_cons(t)) {
		push(s, cons_tail(t));
		push(s, cons_head(t));
	} else {
		push(s, t);
	}
}

static void push_all(struct state *s, const term *items, size_t n)
{
	while (n > 0)
		push(s, items[--n]);
}

/* Pairs are hashed apart and xor-ed, so that their order does not matter. */
static void hash_map(struct state *s, term t)
{
	struct tmap_iter it = tmap_iter(t);
	term key, value;

	s->hash = mix_pair(s->hash, (uint32_t)tmap_size(t), 0, SALT_MAP);
	if (tmap_size(t) == 0)
		return;
	push(s, s->pairs);
	push(s, s->hash);
	push(s, MAP_END);
	s->hash = 0;
	s->pairs = 0;
	while (tmap_next(&it, &key, &value)) {
		push(s, MAP_PAIR_END);
		push(s, value);
		push(s, key);
	}
}

static void hash_fun(struct state *s, term t)
{
	const struct fun_entry *entry = fun_entry_of(t);

	s->hash = mix_pair(s->hash, (uint32_t)fun_free_len(t), phash_atom(entry->module), 1);
	s->hash = mix_pair(s->hash, entry->old_index, entry->old_uniq, 1);
	push_all(s, fun_free(t), fun_free_len(t));
}

static void hash_export(struct state *s, term t)
{
	const struct export *export = export_of_fun(t);

	s->hash = mix_pair(s->hash, export->arity, phash_atom(export->module), 1);
	s->hash = mix_pair(s->hash, phash_atom(export->function), 0, SALT_EXPORT);
}

/* Pids, ports and references have other numbers on the real machine. */
static void note_number(void)
{
	vm_get()->relied_on |= RELIED_ON_NUMBERS;
}

static void hash_remote(struct state *s, term t)
{
	uint64_t number = remote_number(t);
	uint32_t salt = term_is_any_pid(t)    ? SALT_PID
			: term_is_any_port(t) ? SALT_PORT
					      : SALT_REF;

	s->hash = mix_pair(s->hash, (uint32_t)number, (uint32_t)(number >> 32), salt);
}

static void hash_boxed(struct state *s, term t)
{
	switch (header_kind(*boxed_ptr(t))) {
	case KIND_TUPLE:
		s->hash = mix_pair(s->hash, (uint32_t)tuple_size(t), 0, SALT_TUPLE);
		push_all(s, tuple_elements(t), tuple_size(t));
		break;
	case KIND_BIG_POS:
	case KIND_BIG_NEG:
		s->hash = hash_integer(s->hash, t);
		break;
	case KIND_FLOAT:
		s->hash = hash_float(s->hash, t);
		break;
	case KIND_FUN:
		hash_fun(s, t);
		break;
	case KIND_EXPORT:
		hash_export(s, t);
		break;
	case KIND_REF:
		note_number();
		s->hash = mix_pair(s->hash, (uint32_t)(ref_pid_value(t) * 31 + ref_counter(t)), 0,
				   SALT_REF);
		break;
	case KIND_FLATMAP:
	case KIND_HASHMAP:
		hash_map(s, t);
		break;
	case KIND_REMOTE_PID:
	case KIND_REMOTE_PORT:
	case KIND_REMOTE_REF:
		hash_remote(s, t);
		break;
	default:
		s->hash = hash_bits(s->hash, t);
	}
}

static void hash_immediate(struct state *s, term t)
{
	if (term_is_small(t))
		s->hash = hash_integer(s->hash, t);
	else if (term_is_atom(t))
		s->hash = s->hash ? mix_pair(s->hash, phash_atom(t), 0, SALT_ATOM) : phash_atom(t);
	else if (t == NIL)
		s->hash = s->hash ? mix_pair(s->hash, 2, 0, SALT_NIL) : 3468870702u;
	else {
		note_number();
		s->hash = mix_pair(s->hash, (uint32_t)pid_value(t), 0,
				   term_is_pid(t) ? SALT_PID : SALT_PORT);
	}
}

uint32_t phash2(term t)
{
	struct state s = {0};

	push(&s, t);
	while (s.todo.len) {
		t = vec_pop(&s.todo);
		if (t == MAP_PAIR_END) {
			s.pairs ^= s.hash;
			s.hash = 0;
		} else if (t == MAP_END) {
			s.hash = mix_pair((uint32_t)vec_pop(&s.todo), s.pairs, 0, SALT_MAP_END);
			s.pairs = (uint32_t)vec_pop(&s.todo);
		} else if (term_is_cons(t)) {
			hash_list(&s, t);
		} else if (term_is_boxed(t)) {
			hash_boxed(&s, t);
		} else {
			hash_immediate(&s, t);
		}
	}
	vec_release(&s.todo);
	return s.hash;
}

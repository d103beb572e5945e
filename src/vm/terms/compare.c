#include "vm/terms/compare.h"

#include <math.h>
#include <stdlib.h>

#include "base/bug.h"
#include "base/hash.h"
#include "base/vec.h"
#include "vm/code/code.h"
#include "vm/machine.h"
#include "vm/process/process.h"
#include "vm/terms/atom.h"
#include "vm/terms/big.h"
#include "vm/terms/binary.h"
#include "vm/terms/remote.h"
#include "vm/terms/tmap.h"
#include "vm/vm.h"

static struct term_pairs *const todo = &machine.compare.todo;
static struct term_vec *const to_hash = &machine.compare.to_hash;

void compare_set_zeros_differ(bool zeros_differ)
{
	machine.compare.zeros_differ = zeros_differ;
}

void compare_release(void)
{
	vec_release(todo);
	vec_release(to_hash);
}

static void push_pair(term a, term b)
{
	*vec_push(todo) = (struct term_pair){a, b};
}

enum rank {
	RANK_NUMBER, RANK_ATOM, RANK_REF, RANK_FUN, RANK_PORT, RANK_PID, RANK_TUPLE, RANK_MAP,
	RANK_NIL, RANK_LIST, RANK_BITS,
};

static enum rank find_rank(term t)
{
	static const uint8_t boxed[] = {
		[KIND_TUPLE] = RANK_TUPLE,     [KIND_BIG_POS] = RANK_NUMBER,
		[KIND_BIG_NEG] = RANK_NUMBER,  [KIND_FLOAT] = RANK_NUMBER,
		[KIND_FUN] = RANK_FUN,         [KIND_EXPORT] = RANK_FUN,
		[KIND_REF] = RANK_REF,         [KIND_HEAPBIN] = RANK_BITS,
		[KIND_REFCBIN] = RANK_BITS,    [KIND_SUBBIN] = RANK_BITS,
		[KIND_MATCHCTX] = RANK_BITS,   [KIND_FLATMAP] = RANK_MAP,
		[KIND_HASHMAP] = RANK_MAP,     [KIND_REMOTE_PID] = RANK_PID,
		[KIND_REMOTE_PORT] = RANK_PORT, [KIND_REMOTE_REF] = RANK_REF,
	};

	if (term_is_small(t))
		return RANK_NUMBER;
	if (term_is_atom(t))
		return RANK_ATOM;
	if (term_is_cons(t))
		return RANK_LIST;
	if (term_is_boxed(t))
		return boxed[header_kind(*boxed_ptr(t))];
	if (t == NIL)
		return RANK_NIL;
	return term_is_pid(t) ? RANK_PID : RANK_PORT;
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int compare_floats(double a, double b)
{
	if (machine.compare.zeros_differ && a == 0 && b == 0)
		return COMPARE(signbit(b) ? 0 : 1, signbit(a) ? 0 : 1) * -1;
	return COMPARE(a, b);
}

static int compare_numbers(term a, term b, bool exact)
{
	bool a_is_float = term_is_float(a), b_is_float = term_is_float(b);

	if (a_is_float && b_is_float)
		return exact ? compare_floats(float_value(a), float_value(b))
			     : COMPARE(float_value(a), float_value(b));
	if (a_is_float != b_is_float && exact)
		return a_is_float ? 1 : -1;
	if (a_is_float)
		return -integer_compare_float(b, float_value(a));
	if (b_is_float)
		return integer_compare_float(a, float_value(b));
	return integer_compare(a, b);
}

/* Pids are ordered by their place in the spawn tree. A process and its descendants, and the children of
 * one process, compare as on the real machine: in the order in which they were made. */
static int compare_pids(term a, term b)
{
	if (term_is_remote(a) || term_is_remote(b)) {
		machine.compare.has_mixed |= term_is_pid(a) || term_is_pid(b);
		return remote_compare(a, b);
	}
	machine.compare.has_mixed |= !process_are_kin(pid_value(a), pid_value(b));
	return COMPARE(a, b);
}

static int compare_refs(term a, term b)
{
	if (term_is_remote(a) || term_is_remote(b))
		return remote_compare(a, b);
	if (ref_pid_value(a) != ref_pid_value(b)) {
		machine.compare.has_mixed = true;
		return COMPARE(ref_pid_value(a), ref_pid_value(b));
	}
	return COMPARE(ref_counter(a), ref_counter(b));
}

static int compare_ports(term a, term b)
{
	return term_is_remote(a) || term_is_remote(b) ? remote_compare(a, b) : COMPARE(a, b);
}

static int compare_exports(const struct export *a, const struct export *b)
{
	int order = atom_compare(a->module, b->module);

	if (!order)
		order = atom_compare(a->function, b->function);
	return order ? order : COMPARE(a->arity, b->arity);
}

static int compare_funs(term a, term b)
{
	const struct fun_entry *left, *right;
	int order;

	if (term_is_export_fun(a) != term_is_export_fun(b))
		return term_is_export_fun(a) ? 1 : -1;
	if (term_is_export_fun(a))
		return compare_exports(export_of_fun(a), export_of_fun(b));
	left = fun_entry_of(a);
	right = fun_entry_of(b);
	order = atom_compare(left->module, right->module);
	if (!order)
		order = COMPARE(left->index, right->index);
	if (!order)
		order = COMPARE(left->old_uniq, right->old_uniq);
	if (!order)
		order = COMPARE(fun_free_len(a), fun_free_len(b));
	if (order)
		return order;
	for (size_t i = fun_free_len(a); i-- > 0;)
		push_pair(fun_free(a)[i], fun_free(b)[i]);
	return 0;
}

static int compare_tuples(term a, term b)
{
	int order = COMPARE(tuple_size(a), tuple_size(b));

	if (!order)
		for (size_t i = tuple_size(a); i-- > 0;)
			push_pair(tuple_element(a, i), tuple_element(b, i));
	return order;
}

static int compare_keys(const void *a, const void *b)
{
	return term_compare_exact(*(const term *)a, *(const term *)b);
}

/* key, value, key, value ... in exact key order; the caller frees. */
static term *sort_entries(term map, size_t size)
{
	term *entries = mem_alloc(size * 2 * sizeof(term) + 1);
	struct tmap_iter it = tmap_iter(map);
	size_t i = 0;

	while (tmap_next(&it, &entries[i], &entries[i + 1]))
		i += 2;
	qsort(entries, size, 2 * sizeof(term), compare_keys);
	return entries;
}

/* Size, then keys in exact order, then values in the order of their keys. */
static int compare_maps(term a, term b)
{
	size_t size = tmap_size(a);
	int order = COMPARE(size, tmap_size(b));
	term *left, *right;

	if (order)
		return order;
	left = sort_entries(a, size);
	right = sort_entries(b, size);
	for (size_t i = 0; i < size && !order; i++)
		order = term_compare_exact(left[2 * i], right[2 * i]);
	for (size_t i = size; i-- > 0 && !order;)
		push_pair(left[2 * i + 1], right[2 * i + 1]);
	mem_free(left);
	mem_free(right);
	return order;
}

/* Compares one level and pushes the pairs of parts below it. */
static int compare_level(term a, term b, bool exact)
{
	enum rank left = find_rank(a), right = find_rank(b);

	if (left != right)
		return left < right ? -1 : 1;
	switch (left) {
	case RANK_NUMBER:
		return compare_numbers(a, b, exact);
	case RANK_ATOM:
		return atom_compare(a, b);
	case RANK_REF:
		return compare_refs(a, b);
	case RANK_FUN:
		return compare_funs(a, b);
	case RANK_TUPLE:
		return compare_tuples(a, b);
	case RANK_MAP:
		return compare_maps(a, b);
	case RANK_BITS:
		return bits_compare(bits_of(a), bits_of(b));
	case RANK_LIST:
		push_pair(cons_tail(a), cons_tail(b));
		push_pair(cons_head(a), cons_head(b));
		return 0;
	case RANK_PID:
		return compare_pids(a, b);
	case RANK_PORT:
		return compare_ports(a, b);
	default:
		return COMPARE(a, b);
	}
}

static int compare_all(term a, term b, bool exact)
{
	size_t base = todo->len;
	int order;

	for (;;) {
		if (a != b) {
			order = compare_level(a, b, exact);
			if (order)
				break;
		}
		if (todo->len == base)
			return 0;
		a = todo->items[todo->len - 1].a;
		b = vec_pop(todo).b;
	}
	todo->len = base;
	return order;
}

int term_compare(term a, term b)
{
	if (terms_are_small(a, b))
		return COMPARE((int64_t)a, (int64_t)b);
	return compare_all(a, b, false);
}

int term_order(term a, term b)
{
	int order;

	machine.compare.has_mixed = false;
	order = term_compare(a, b);
	if (machine.compare.has_mixed)
		vm_get()->relied_on |= RELIED_ON_ORDER;
	return order;
}

static bool has_number(term t, unsigned depth)
{
	enum { DEPTH_MAX = 16 };

	if (depth == DEPTH_MAX || term_is_small(t) || term_is_atom(t))
		return false;
	if (term_is_pid(t) || term_is_port(t) || term_is_ref(t))
		return true;
	for (; term_is_cons(t); t = cons_tail(t))
		if (has_number(cons_head(t), depth + 1))
			return true;
	for (size_t i = 0; term_is_tuple(t) && i < tuple_size(t); i++)
		if (has_number(tuple_element(t, i), depth + 1))
			return true;
	return false;
}

bool term_has_number(term t)
{
	return has_number(t, 0);
}

int term_compare_exact(term a, term b)
{
	if (terms_are_small(a, b))
		return COMPARE((int64_t)a, (int64_t)b);
	return compare_all(a, b, true);
}

bool term_equal_slow(term a, term b)
{
	if (term_is_cons(a) != term_is_cons(b))
		return false;
	return compare_all(a, b, true) == 0;
}

/* ---- hashing ---- */

static uint64_t hash_bits(struct bits b)
{
	uint8_t buffer[256];
	uint64_t hash = b.size;
	size_t pos = 0;

	if (b.offset % 8 == 0 && b.size % 8 == 0)
		return hash_combine(hash, hash_bytes(bits_start(b), b.size / 8));
	while (pos < b.size) {
		size_t n = b.size - pos < sizeof(buffer) * 8 ? b.size - pos : sizeof(buffer) * 8;

		memset(buffer, 0, sizeof(buffer));
		bits_copy(buffer, 0, b.bytes, b.offset + pos, n);
		hash = hash_combine(hash, hash_bytes(buffer, (n + 7) / 8));
		pos += n;
	}
	return hash;
}

static uint64_t hash_float(double value)
{
	uint64_t raw;

	if (value == 0 && !machine.compare.zeros_differ)
		value = 0;
	memcpy(&raw, &value, sizeof(raw));
	return hash_combine(KIND_FLOAT, raw);
}

static uint64_t hash_map(term map)
{
	struct tmap_iter it = tmap_iter(map);
	term key, value;

	while (tmap_next(&it, &key, &value)) {
		*vec_push(to_hash) = key;
		*vec_push(to_hash) = value;
	}
	return hash_combine(KIND_FLATMAP, tmap_size(map));
}

static uint64_t hash_fun(term t)
{
	const struct fun_entry *fun = fun_entry_of(t);

	vec_append(to_hash, fun_free(t), fun_free_len(t));
	return hash_combine(hash_combine(atom_name(fun->module)->hash, fun->old_uniq),
			    fun->index);
}

static uint64_t hash_boxed(term t)
{
	const term *box = boxed_ptr(t);
	const struct export *export;

	switch (header_kind(box[0])) {
	case KIND_TUPLE:
		vec_append(to_hash, box + 1, tuple_size(t));
		return hash_combine(KIND_TUPLE, tuple_size(t));
	case KIND_BIG_POS:
	case KIND_BIG_NEG:
		return hash_combine(header_kind(box[0]), hash_bytes(box + 1, big_len(t) * 8));
	case KIND_FLOAT:
		return hash_float(float_value(t));
	case KIND_FUN:
		return hash_fun(t);
	case KIND_EXPORT:
		export = export_of_fun(t);
		return hash_combine(atom_name(export->module)->hash,
				    hash_combine(atom_name(export->function)->hash, export->arity));
	case KIND_REF:
		return hash_combine(ref_pid_value(t), ref_counter(t));
	case KIND_FLATMAP:
	case KIND_HASHMAP:
		return hash_map(t);
	case KIND_REMOTE_PID:
	case KIND_REMOTE_PORT:
	case KIND_REMOTE_REF:
		return remote_hash(t);
	default:
		return hash_bits(bits_of(t));
	}
}

static uint64_t hash_level(term t)
{
	if (term_is_atom(t))
		return atom_name(t)->hash;
	if (term_is_cons(t)) {
		*vec_push(to_hash) = cons_tail(t);
		*vec_push(to_hash) = cons_head(t);
		return TAG_LIST;
	}
	return term_is_boxed(t) ? hash_boxed(t) : hash_combine(t, t >> 32);
}

uint64_t term_hash(term t)
{
	size_t base = to_hash->len;
	uint64_t hash = hash_level(t);

	while (to_hash->len > base) {
		t = vec_pop(to_hash);
		hash = hash_combine(hash, hash_level(t));
	}
	return hash;
}

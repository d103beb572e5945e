/* ets: inserting, looking up and deleting objects by key. */
#include "base/vec.h"
#include "vm/bifs/bif.h"
#include "vm/bifs/ets_object.h"
#include "vm/code/code.h"
#include "vm/ets/ets_store.h"
#include "vm/terms/binary.h"

static bool is_storable(const struct ets_table *table, term t)
{
	return term_is_tuple(t) && tuple_size(t) >= table->keypos;
}

/* A tuple, or a proper list of tuples, each with a key. */
static bool are_storable(const struct ets_table *table, term t)
{
	if (!term_is_list(t))
		return is_storable(table, t);
	for (; term_is_cons(t); t = cons_tail(t))
		if (!is_storable(table, cons_head(t)))
			return false;
	return t == NIL;
}

/* Before OTP 26, a list is inserted into a bag from its end: the last becomes the oldest. */
static void put_reversed(struct ets_table *table, term list)
{
	VEC(term) items = {0};

	for (; term_is_cons(list); list = cons_tail(list))
		*vec_push(&items) = cons_head(list);
	while (items.len)
		ets_put(table, vec_pop(&items));
	vec_release(&items);
}

static void put_all(struct ets_table *table, term t)
{
	if (term_is_tuple(t)) {
		ets_put(table, t);
	} else if (table->type == ETS_BAG && code_otp_release() < 26) {
		put_reversed(table, t);
	} else {
		for (; term_is_cons(t); t = cons_tail(t))
			ets_put(table, cons_head(t));
	}
}

term bif_ets_insert_2(struct process *p, const term *args)
{
	struct ets_table *table = ets_get(p, args[0], ETS_WRITE);

	if (!table)
		return TERM_NONE;
	if (!are_storable(table, args[1]))
		return bif_badarg(p);
	put_all(table, args[1]);
	return A_true;
}

static bool has_key_of(const struct ets_table *table, term tuple)
{
	return ets_find(table, tuple_element(tuple, table->keypos - 1)) != NULL;
}

static bool has_any_key_of(const struct ets_table *table, term t)
{
	if (term_is_tuple(t))
		return has_key_of(table, t);
	for (; term_is_cons(t); t = cons_tail(t))
		if (has_key_of(table, cons_head(t)))
			return true;
	return false;
}

term bif_ets_insert_new_2(struct process *p, const term *args)
{
	struct ets_table *table = ets_get(p, args[0], ETS_WRITE);

	if (!table)
		return TERM_NONE;
	if (!are_storable(table, args[1]))
		return bif_badarg(p);
	if (has_any_key_of(table, args[1]))
		return A_false;
	put_all(table, args[1]);
	return A_true;
}

/* ---- looking up ---- */

/* The objects are found newest first and put in front of the list, so the oldest comes first. */
static term import_key(struct process *p, const struct ets_table *table, term key)
{
	term list = NIL;

	for (const struct ets_object *object = ets_find(table, key); object;
	     object = ets_find_older(table, object))
		list = heap_cons(p, ets_object_import(p, object), list);
	return list;
}

term bif_ets_lookup_2(struct process *p, const term *args)
{
	struct ets_table *table = ets_get(p, args[0], ETS_READ);

	return table ? import_key(p, table, args[1]) : TERM_NONE;
}

term bif_ets_member_2(struct process *p, const term *args)
{
	struct ets_table *table = ets_get(p, args[0], ETS_READ);

	return table ? atom_from_bool(ets_find(table, args[1])) : TERM_NONE;
}

static term import_element(struct process *p, const struct ets_object *object, size_t position)
{
	return heap_import(p, tuple_element(ets_object_tuple(object), position - 1));
}

static term import_elements(struct process *p, const struct ets_table *table,
			    const struct ets_object *object, size_t position)
{
	term list = NIL;

	if (!ets_is_bag(table))
		return import_element(p, object, position);
	for (; object; object = ets_find_older(table, object))
		list = heap_cons(p, import_element(p, object, position), list);
	return list;
}

/* default_value is TERM_NONE when a missing key is an error. */
static term lookup_element(struct process *p, const term *args, term default_value)
{
	struct ets_table *table = ets_get(p, args[0], ETS_READ);
	struct ets_object *object;

	if (!table)
		return TERM_NONE;
	if (!term_is_small(args[2]) || small_value(args[2]) < 1)
		return bif_badarg(p);
	object = ets_find(table, args[1]);
	if (!object && default_value != TERM_NONE)
		return default_value;
	if (!object)
		return bif_badarg_cause(p, A_badkey);
	for (struct ets_object *o = object; o; o = ets_find_older(table, o))
		if ((size_t)small_value(args[2]) > tuple_size(ets_object_tuple(o)))
			return bif_badarg(p);
	return import_elements(p, table, object, (size_t)small_value(args[2]));
}

term bif_ets_lookup_element_3(struct process *p, const term *args)
{
	return lookup_element(p, args, TERM_NONE);
}

term bif_ets_lookup_element_4(struct process *p, const term *args)
{
	return lookup_element(p, args, args[3]);
}

/* {Id, Size, References} of each large binary. */
static term add_binaries(struct process *p, const struct ets_object *object, int64_t *place,
			 term list)
{
	for (const term *box = object->off_heap.first; box; box = (const term *)box[3]) {
		const struct refc_binary *binary = (const struct refc_binary *)box[2];
		term size = heap_unsigned(p, binary->used);
		term refs = heap_unsigned(p, binary->refs);
		term id = place ? small_make(++*place) : heap_unsigned(p, (uintptr_t)binary->bytes);

		list = heap_cons(p, heap_tuple3(p, id, size, refs), list);
	}
	return list;
}

term bif_erts_internal_ets_lookup_binary_info_2(struct process *p, const term *args)
{
	struct ets_table *table = ets_get(p, args[0], ETS_READ);
	term list = NIL;
	int64_t place = 0;

	if (!table)
		return TERM_NONE;
	for (const struct ets_object *object = ets_find(table, args[1]); object;
	     object = ets_find_older(table, object))
		list = add_binaries(p, object, &place, list);
	return list;
}

term ets_list_binaries(struct process *p, const struct ets_table *table)
{
	struct ets_cursor cursor;
	const struct ets_object *found;
	term list = NIL;

	ets_cursor_start(&cursor, table, false);
	while (ets_is_tree(table) && (found = ets_cursor_next(&cursor)))
		list = add_binaries(p, found, NULL, list);
	for (size_t i = 0;
	     !ets_is_tree(table) && table->buckets && i < (size_t)1 << table->buckets_log; i++)
		for (const struct ets_object *object = table->buckets[i]; object;
		     object = object->next)
			list = add_binaries(p, object, NULL, list);
	return list;
}

/* ---- deleting ---- */

static void remove_key(struct ets_table *table, term key)
{
	struct ets_object *object = ets_find(table, key);

	while (object) {
		struct ets_object *older = ets_find_older(table, object);

		ets_remove(table, object);
		object = older;
	}
}

term bif_ets_delete_2(struct process *p, const term *args)
{
	struct ets_table *table = ets_get(p, args[0], ETS_WRITE);

	if (!table)
		return TERM_NONE;
	remove_key(table, args[1]);
	return A_true;
}

term bif_ets_take_2(struct process *p, const term *args)
{
	struct ets_table *table = ets_get(p, args[0], ETS_WRITE);
	term list;

	if (!table)
		return TERM_NONE;
	list = import_key(p, table, args[1]);
	remove_key(table, args[1]);
	return list;
}

term bif_ets_delete_object_2(struct process *p, const term *args)
{
	struct ets_table *table = ets_get(p, args[0], ETS_WRITE);
	struct ets_object *object;

	if (!table)
		return TERM_NONE;
	if (!is_storable(table, args[1]))
		return bif_badarg(p);
	object = ets_find(table, tuple_element(args[1], table->keypos - 1));
	while (object) {
		struct ets_object *older = ets_find_older(table, object);

		if (term_equal(ets_object_tuple(object), args[1]))
			ets_remove(table, object);
		object = older;
	}
	return A_true;
}

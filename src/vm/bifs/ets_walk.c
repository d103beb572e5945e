/* ets: going through the keys of a table. Hash stores have one direction: prev is next. */
#include "vm/bifs/bif.h"
#include "vm/ets/ets_store.h"

/* All objects with the key of this object, as lookup returns them. */
static term import_run(struct process *p, const struct ets_table *table,
		       const struct ets_object *object)
{
	term list = NIL;

	for (; object; object = ets_find_older(table, object))
		list = heap_cons(p, ets_object_import(p, object), list);
	return list;
}

static term give_place(struct process *p, const struct ets_table *table,
		       const struct ets_object *object, bool with_objects)
{
	term key;

	if (!object)
		return A_end_of_table;
	key = heap_import(p, ets_key(table, object));
	return with_objects ? heap_tuple2(p, key, import_run(p, table, object)) : key;
}

static term walk_first(struct process *p, const term *args, bool is_backward, bool with_objects)
{
	struct ets_table *table = ets_get(p, args[0], ETS_READ);
	struct ets_object *first, *second;
	struct ets_cursor cursor;

	if (!table)
		return TERM_NONE;
	ets_cursor_start(&cursor, table, is_backward);
	first = ets_cursor_next(&cursor);
	second = first ? ets_cursor_next(&cursor) : NULL;
	if (second)
		ets_show_order(table, ets_key(table, first), ets_key(table, second));
	return give_place(p, table, first, with_objects);
}

static term walk_next(struct process *p, const term *args, bool is_backward, bool with_objects)
{
	struct ets_table *table = ets_get(p, args[0], ETS_READ);
	struct ets_object *next;
	struct ets_cursor cursor;

	if (!table)
		return TERM_NONE;
	if (ets_is_tree(table) ? args[1] == A_end_of_table : !ets_knows_key(table, args[1]))
		return bif_badarg(p);
	ets_cursor_after(&cursor, table, is_backward, args[1], false);
	next = ets_cursor_next(&cursor);
	if (next)
		ets_show_order(table, args[1], ets_key(table, next));
	return give_place(p, table, next, with_objects);
}

term bif_ets_first_1(struct process *p, const term *args)
{
	return walk_first(p, args, false, false);
}

term bif_ets_next_2(struct process *p, const term *args)
{
	return walk_next(p, args, false, false);
}

term bif_ets_last_1(struct process *p, const term *args)
{
	return walk_first(p, args, true, false);
}

term bif_ets_prev_2(struct process *p, const term *args)
{
	return walk_next(p, args, true, false);
}

term bif_ets_first_lookup_1(struct process *p, const term *args)
{
	return walk_first(p, args, false, true);
}

term bif_ets_next_lookup_2(struct process *p, const term *args)
{
	return walk_next(p, args, false, true);
}

term bif_ets_last_lookup_1(struct process *p, const term *args)
{
	return walk_first(p, args, true, true);
}

term bif_ets_prev_lookup_2(struct process *p, const term *args)
{
	return walk_next(p, args, true, true);
}

term bif_erts_internal_ets_raw_first_1(struct process *p, const term *args)
{
	return walk_first(p, args, false, false);
}

term bif_erts_internal_ets_raw_next_2(struct process *p, const term *args)
{
	return walk_next(p, args, false, false);
}

/* A slot is one key, because the number of buckets must not be visible. */
term bif_ets_slot_2(struct process *p, const term *args)
{
	struct ets_table *table = ets_get(p, args[0], ETS_READ);
	const struct ets_object *object, *previous = NULL;
	struct ets_cursor cursor;
	int64_t left;

	if (!table)
		return TERM_NONE;
	if (!term_is_small(args[1]) || small_value(args[1]) < 0)
		return bif_badarg(p);
	left = small_value(args[1]);
	ets_cursor_start(&cursor, table, false);
	while ((object = ets_cursor_next(&cursor))) {
		bool is_new_key = !previous || !ets_same_key(table, ets_key(table, previous),
							     ets_key(table, object));

		if (previous)
			ets_show_order(table, ets_key(table, previous), ets_key(table, object));
		if (is_new_key && left-- == 0)
			return import_run(p, table, object);
		previous = object;
	}
	return left == 0 ? (term)A_end_of_table : bif_badarg(p);
}

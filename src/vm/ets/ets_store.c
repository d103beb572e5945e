#include "vm/ets/ets_store.h"

#include "vm/vm.h"

bool ets_same_key(const struct ets_table *table, term a, term b)
{
	return ets_is_tree(table) ? terms_compare_equal(a, b) : term_equal(a, b);
}

int ets_compare_keys(const struct ets_table *table, term a, term b)
{
	uint64_t left, right;

	if (ets_is_tree(table))
		return term_compare(a, b);
	left = term_hash(a);
	right = term_hash(b);
	if (left != right)
		return left < right ? -1 : 1;
	return term_compare_exact(a, b);
}

void ets_show_order(const struct ets_table *table, term first, term second)
{
	if (!table->vm->is_explored || (table->vm->relied_on & RELIED_ON_NUMBERS))
		return;
	if (ets_is_tree(table))
		(void)term_order(first, second);
	else if ((term_has_number(first) || term_has_number(second)) && !term_equal(first, second))
		table->vm->relied_on |= RELIED_ON_NUMBERS;
}

struct ets_object *ets_find(const struct ets_table *table, term key)
{
	return ets_is_tree(table) ? ets_tree_find(table, key) : ets_hash_find(table, key);
}

void ets_put(struct ets_table *table, term tuple)
{
	if (ets_is_tree(table))
		ets_tree_put(table, ets_object_new(tuple));
	else
		ets_hash_put(table, tuple);
}

struct ets_object *ets_replace(struct ets_table *table, struct ets_object *object, term tuple)
{
	struct ets_object *fresh = ets_object_new(tuple);

	if (ets_is_tree(table))
		ets_tree_put(table, fresh);
	else
		ets_hash_replace(table, object, fresh);
	return fresh;
}

void ets_remove(struct ets_table *table, struct ets_object *object)
{
	if (ets_is_tree(table))
		ets_tree_remove(table, object);
	else
		ets_hash_remove(table, object);
}

void ets_remove_all(struct ets_table *table)
{
	if (ets_is_tree(table))
		ets_tree_clear(table);
	else
		ets_hash_clear(table);
}

static void open_cursor(struct ets_cursor *cursor, const struct ets_table *table, bool is_backward)
{
	cursor->table = table;
	cursor->is_backward = is_backward && ets_is_tree(table);
	cursor->depth = 0;
	cursor->bucket = 0;
	cursor->at = NULL;
}

void ets_cursor_start(struct ets_cursor *cursor, const struct ets_table *table, bool is_backward)
{
	open_cursor(cursor, table, is_backward);
	if (ets_is_tree(table))
		ets_tree_cursor_start(cursor);
}

void ets_cursor_after(struct ets_cursor *cursor, const struct ets_table *table, bool is_backward,
		      term key, bool is_included)
{
	open_cursor(cursor, table, is_backward);
	if (ets_is_tree(table))
		ets_tree_cursor_after(cursor, key, is_included);
	else
		ets_hash_cursor_after(cursor, key, is_included);
}

void ets_cursor_at_prefix(struct ets_cursor *cursor, const struct ets_table *table,
			  bool is_backward, term pattern)
{
	open_cursor(cursor, table, is_backward);
	ets_tree_cursor_at_prefix(cursor, pattern);
}

struct ets_object *ets_cursor_next(struct ets_cursor *cursor)
{
	return ets_is_tree(cursor->table) ? ets_tree_cursor_next(cursor)
					  : ets_hash_cursor_next(cursor);
}

#include "vm/ets/ets_scan.h"

#include "vm/terms/atom.h"

static int compare_in_scan(const struct ets_scan *scan, term a, term b)
{
	int order = ets_compare_keys(scan->table, a, b);

	return scan->is_backward ? -order : order;
}

/* The pattern of the key; TERM_NONE when the clause cannot match any object. *is_any is set when it
 * can match objects of any key. */
static term key_pattern(const struct ets_table *table, term head, bool *is_any)
{
	*is_any = head == A_underscore || match_variable_number(head) >= 0;
	if (*is_any || !term_is_tuple(head) || tuple_size(head) < table->keypos)
		return TERM_NONE;
	head = tuple_element(head, table->keypos - 1);
	*is_any = !match_is_exact(head);
	return *is_any ? TERM_NONE : head;
}

static void add_key(struct ets_scan *scan, term key)
{
	size_t at = 0;

	for (; at < scan->keys.len; at++) {
		int order = compare_in_scan(scan, key, scan->keys.items[at]);

		if (order == 0)
			return;
		if (order < 0)
			break;
	}
	(void)vec_push(&scan->keys);
	memmove(scan->keys.items + at + 1, scan->keys.items + at,
		(scan->keys.len - 1 - at) * sizeof(term));
	scan->keys.items[at] = key;
}

static bool find_keys(struct ets_scan *scan, const struct match_program *program)
{
	for (size_t i = 0; i < program->clauses.len; i++) {
		bool is_any;
		term key = key_pattern(scan->table, program->clauses.items[i].head, &is_any);

		if (is_any)
			return false;
		if (key != TERM_NONE)
			add_key(scan, key);
	}
	return true;
}

/* The pattern of the key if the spec has one clause and the clause restricts the key. */
static term find_prefix(const struct ets_table *table, const struct match_program *program)
{
	term head;

	if (!ets_is_tree(table) || program->clauses.len != 1)
		return TERM_NONE;
	head = program->clauses.items[0].head;
	if (!term_is_tuple(head) || tuple_size(head) < table->keypos)
		return TERM_NONE;
	head = tuple_element(head, table->keypos - 1);
	return term_is_tuple(head) || term_is_cons(head) ? head : TERM_NONE;
}

void ets_scan_open(struct ets_scan *scan, struct ets_table *table,
		   const struct match_program *program, bool is_backward)
{
	scan->table = table;
	scan->is_backward = is_backward && ets_is_tree(table);
	scan->keys = (struct term_list){0};
	scan->key_at = 0;
	scan->at = NULL;
	scan->is_keyed = find_keys(scan, program);
	scan->prefix = find_prefix(table, program);
	if (scan->prefix != TERM_NONE)
		ets_cursor_at_prefix(&scan->cursor, table, is_backward, scan->prefix);
	else if (!scan->is_keyed)
		ets_cursor_start(&scan->cursor, table, is_backward);
}

void ets_scan_resume(struct ets_scan *scan, term key, size_t seen)
{
	const struct ets_object *object = seen ? ets_find(scan->table, key) : NULL;
	size_t left = 0;

	if (scan->is_keyed) {
		while (scan->key_at < scan->keys.len &&
		       compare_in_scan(scan, scan->keys.items[scan->key_at], key) < (seen ? 0 : 1))
			scan->key_at++;
	} else {
		ets_cursor_after(&scan->cursor, scan->table, scan->is_backward, key, seen != 0);
	}
	for (; object && left < seen; object = ets_find_older(scan->table, object))
		left++;
	while (left-- > 0)
		ets_scan_next(scan);
}

struct ets_object *ets_scan_next(struct ets_scan *scan)
{
	struct ets_object *object;

	if (!scan->is_keyed) {
		object = ets_cursor_next(&scan->cursor);
		if (object && scan->prefix != TERM_NONE &&
		    match_compare_prefix(ets_key(scan->table, object), scan->prefix) != 0)
			return NULL;
		return object;
	}
	while (!scan->at && scan->key_at < scan->keys.len)
		scan->at = ets_find(scan->table, scan->keys.items[scan->key_at++]);
	object = scan->at;
	if (object)
		scan->at = ets_find_older(scan->table, object);
	return object;
}

void ets_scan_close(struct ets_scan *scan)
{
	vec_release(&scan->keys);
}

/* announce_keys.c: the keys that an operation on a table names.
 *
 * An operation that names its keys conflicts only with operations on those keys, and with the ones
 * that look at the whole table:
 *
 *     ets:insert(T, [{x, 1}, {y, 2}])          x and y
 *     ets:select(T, [{{x, '$1'}, [], ['$1']}]) x
 *     ets:match(T, {'$1', 0})                  not named: the whole table
 */
#include "beam/announce_parts.h"

#include "vm/ets/ets_store.h"
#include "vm/terms/atom.h"

/* Does the pattern stand for one term only? Maps are left out, and so is every atom that begins
 * like a variable of a pattern. */
static bool is_ground(term pattern)
{
	if (term_is_atom(pattern))
		return pattern != A_underscore && atom_text(pattern)[0] != '$';
	for (; term_is_cons(pattern); pattern = cons_tail(pattern))
		if (!is_ground(cons_head(pattern)))
			return false;
	if (term_is_atom(pattern))
		return is_ground(pattern);
	for (size_t i = 0; term_is_tuple(pattern) && i < tuple_size(pattern); i++)
		if (!is_ground(tuple_element(pattern, i)))
			return false;
	return !term_is_map(pattern);
}

/* A key that is named twice has no single object to be stored. */
static bool add_key(const struct ets_table *table, term tuple, uint32_t max,
		    struct announce_keys *keys)
{
	term key;

	if (!term_is_tuple(tuple) || tuple_size(tuple) < table->keypos)
		return false;
	key = tuple_element(tuple, table->keypos - 1);
	for (uint32_t i = 0; i < keys->len; i++)
		if (ets_same_key(table, keys->keys[i], key)) {
			keys->objects[i] = TERM_NONE;
			return true;
		}
	if (keys->len == max)
		return false;
	keys->keys[keys->len] = key;
	keys->objects[keys->len++] = tuple;
	return true;
}

static bool add_pattern(const struct ets_table *table, term pattern, uint32_t max,
			struct announce_keys *keys)
{
	return term_is_tuple(pattern) && tuple_size(pattern) >= table->keypos &&
	       is_ground(tuple_element(pattern, table->keypos - 1)) &&
	       add_key(table, pattern, max, keys);
}

/* A tuple, or a list of tuples. */
static bool add_objects(const struct ets_table *table, term objects, uint32_t max,
			struct announce_keys *keys)
{
	if (!term_is_cons(objects))
		return add_key(table, objects, max, keys);
	for (; term_is_cons(objects); objects = cons_tail(objects))
		if (!add_key(table, cons_head(objects), max, keys))
			return false;
	return objects == NIL;
}

static bool add_clauses(const struct ets_table *table, term spec, uint32_t max,
			struct announce_keys *keys)
{
	for (; term_is_cons(spec); spec = cons_tail(spec))
		if (!term_is_tuple_of(cons_head(spec), 3) ||
		    !add_pattern(table, tuple_element(cons_head(spec), 0), max, keys))
			return false;
	return spec == NIL && keys->len;
}

bool announce_list_keys(const struct process *p, uint32_t max, struct announce_keys *keys)
{
	const term *args = p->announced.args;
	const struct ets_table *table = ets_find_shape(p->vm, args[0]);

	keys->len = 0;
	if (!table)
		return false;
	switch (p->announced.effect) {
	case EFFECT_ETS_WRITE_OBJECT: case EFFECT_ETS_STORE_OBJECT: case EFFECT_ETS_NEW_OBJECT:
		return add_objects(table, args[1], max, keys);
	case EFFECT_ETS_READ_PATTERN:
		return add_pattern(table, args[1], max, keys);
	case EFFECT_ETS_READ_MATCHING: case EFFECT_ETS_WRITE_MATCHING:
		return add_clauses(table, args[1], max, keys);
	default:
		return false;
	}
}

/* ---- what happens ---- */

static bool has_key_of(const struct ets_table *table, term tuple)
{
	return term_is_tuple(tuple) && tuple_size(tuple) >= table->keypos &&
	       ets_find(table, tuple_element(tuple, table->keypos - 1));
}

static bool has_any_key_of(const struct ets_table *table, term objects)
{
	if (!term_is_cons(objects))
		return has_key_of(table, objects);
	for (; term_is_cons(objects); objects = cons_tail(objects))
		if (has_key_of(table, cons_head(objects)))
			return true;
	return false;
}

static bool has_object(const struct ets_table *table, term tuple)
{
	const struct ets_object *object;

	if (!has_key_of(table, tuple))
		return false;
	object = ets_find(table, tuple_element(tuple, table->keypos - 1));
	for (; object; object = ets_find_older(table, object))
		if (term_compare(ets_object_tuple(object), tuple) == 0)
			return true;
	return false;
}

bool announce_changes_nothing(const struct process *p)
{
	const term *args = p->announced.args;
	const struct ets_table *table = ets_find_table(p->vm, args[0]);

	switch (p->announced.effect) {
	case EFFECT_ETS_NEW_OBJECT:
		return !table || has_any_key_of(table, args[1]);
	case EFFECT_ETS_WRITE_OBJECT:
		return !table || !has_object(table, args[1]);
	case EFFECT_ETS_WRITE_KEY: /* with four arguments there is an object to begin with */
		return !table || (p->announced.args_len < 4 && !ets_find(table, args[1]));
	case EFFECT_ETS_STORE_OBJECT: case EFFECT_ETS_DELETE_KEY: case EFFECT_ETS_WRITE_MATCHING:
		return !table;
	default:
		return false;
	}
}

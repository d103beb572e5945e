/* ets: changing elements of stored tuples: update_counter and update_element.
 *
 * All or nothing: the changes are made in a tuple on the caller's heap (whose elements may still
 * point into the stored object), which replaces the object when every operation was valid. */
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/ets/ets_store.h"
#include "vm/terms/arith.h"
#include "vm/terms/big.h"

struct update {
	struct process *p;
	struct ets_table *table;
	struct ets_object *object; /* NULL: the tuple is a new object */
	term tuple;
};

/* The element that an operation names, from 0; -1 after raising. */
static int64_t find_position(struct update *u, term position)
{
	int64_t value;

	if (!term_is_small(position)) {
		bif_badarg(u->p);
		return -1;
	}
	value = small_value(position);
	if (value < 1 || (uint64_t)value > tuple_size(u->tuple)) {
		bif_badarg_cause(u->p, A_position);
		return -1;
	}
	if (value == u->table->keypos) {
		bif_badarg_cause(u->p, A_keypos);
		return -1;
	}
	return value - 1;
}

/* Starts with a copy of the object of this key, or with the default under this key. */
static bool open_update(struct update *u, term key, term default_tuple)
{
	u->object = ets_find(u->table, key);
	if (u->object) {
		term stored = ets_object_tuple(u->object);

		u->tuple = heap_tuple(u->p, tuple_size(stored), tuple_elements(stored));
		return true;
	}
	if (default_tuple == TERM_NONE)
		return false;
	u->tuple = heap_tuple(u->p, tuple_size(default_tuple), tuple_elements(default_tuple));
	tuple_elements(u->tuple)[u->table->keypos - 1] = key;
	return true;
}

static void close_update(struct update *u)
{
	if (u->object)
		ets_replace(u->table, u->object, u->tuple);
	else
		ets_put(u->table, u->tuple);
}

/* ---- counters ---- */

static term apply_threshold(term value, term increment, term threshold, term reset)
{
	bool is_past = term_compare(increment, small_make(0)) >= 0
			       ? term_compare(value, threshold) > 0
			       : term_compare(value, threshold) < 0;

	return is_past ? reset : value;
}

/* One {Position, Increment} or {Position, Increment, Threshold, Reset}; its new value. */
static term count_one(struct update *u, term op)
{
	bool has_threshold = term_is_tuple_of(op, 4);
	term *element, increment, value;
	int64_t position;

	if (!has_threshold && !term_is_tuple_of(op, 2))
		return bif_badarg(u->p);
	increment = tuple_element(op, 1);
	if (!term_is_integer(increment))
		return bif_badarg(u->p);
	if (has_threshold && (!term_is_integer(tuple_element(op, 2)) ||
			      !term_is_integer(tuple_element(op, 3))))
		return bif_badarg(u->p);
	position = find_position(u, tuple_element(op, 0));
	if (position < 0)
		return TERM_NONE;
	element = &tuple_elements(u->tuple)[position];
	if (!term_is_integer(*element))
		return bif_badarg(u->p);
	value = integer_add(u->p, *element, increment);
	if (value == TERM_NONE)
		return bif_system_limit(u->p);
	if (has_threshold)
		value = apply_threshold(value, increment, tuple_element(op, 2),
					tuple_element(op, 3));
	*element = value;
	return value;
}

static term count_list(struct update *u, term ops)
{
	term results = NIL, *last = &results;

	for (; term_is_cons(ops); ops = cons_tail(ops)) {
		term value = count_one(u, cons_head(ops));

		if (value == TERM_NONE)
			return TERM_NONE;
		*last = heap_cons(u->p, value, NIL);
		last = cons_ptr(*last) + 1;
	}
	return ops == NIL ? results : bif_badarg(u->p);
}

static term count_any(struct update *u, term op)
{
	if (term_is_integer(op))
		op = heap_tuple2(u->p, small_make((int64_t)u->table->keypos + 1), op);
	return term_is_list(op) ? count_list(u, op) : count_one(u, op);
}

/* The usual case, in place: a small integer after the key that stays small. */
static term count_in_place(const struct ets_table *table, term key, term increment)
{
	struct ets_object *object = ets_find(table, key);
	term *element;
	int64_t sum;

	if (!object || header_words(object->words[0]) <= table->keypos)
		return TERM_NONE;
	element = &object->words[table->keypos + 1];
	if (!term_is_small(*element))
		return TERM_NONE;
	sum = small_value(*element) + small_value(increment);
	if (!small_fits(sum))
		return TERM_NONE;
	*element = small_make(sum);
	return *element;
}

static term update_counter(struct process *p, const term *args, term default_tuple)
{
	struct update u = {.p = p, .table = ets_get(p, args[0], ETS_WRITE)};
	term result;

	if (!u.table)
		return TERM_NONE;
	if (ets_is_bag(u.table))
		return bif_badarg_cause(p, A_table_type);
	if (default_tuple != TERM_NONE &&
	    (!term_is_tuple(default_tuple) || tuple_size(default_tuple) < u.table->keypos))
		return code_otp_release() < 29 ? bif_badarg(p)
					       : bif_badarg_cause(p, A_default);
	if (term_is_small(args[2])) {
		result = count_in_place(u.table, args[1], args[2]);
		if (result != TERM_NONE)
			return result;
	}
	if (!open_update(&u, args[1], default_tuple))
		return bif_badarg_cause(p, A_badkey);
	result = count_any(&u, args[2]);
	if (result != TERM_NONE)
		close_update(&u);
	return result;
}

term bif_ets_update_counter_3(struct process *p, const term *args)
{
	return update_counter(p, args, TERM_NONE);
}

term bif_ets_update_counter_4(struct process *p, const term *args)
{
	return update_counter(p, args, args[3]);
}

/* ---- elements ---- */

/* Before OTP 27 the error gives a cause only for a change of the key. */
static bool set_one(struct update *u, term change)
{
	term position = term_is_tuple_of(change, 2) ? tuple_element(change, 0) : (term)NIL;

	if (!term_is_small(position) || small_value(position) < 1 ||
	    (uint64_t)small_value(position) > tuple_size(u->tuple)) {
		if (term_is_small(position) && code_otp_release() >= 27)
			bif_badarg_cause(u->p, A_position);
		else
			bif_badarg(u->p);
		return false;
	}
	if (small_value(position) == u->table->keypos) {
		bif_badarg_cause(u->p, A_keypos);
		return false;
	}
	tuple_elements(u->tuple)[small_value(position) - 1] = tuple_element(change, 1);
	return true;
}

static bool set_all(struct update *u, term changes)
{
	if (!term_is_list(changes))
		return set_one(u, changes);
	for (; term_is_cons(changes); changes = cons_tail(changes))
		if (!set_one(u, cons_head(changes)))
			return false;
	if (changes != NIL)
		bif_badarg(u->p);
	return changes == NIL;
}

static term update_element(struct process *p, const term *args, term default_tuple)
{
	struct update u = {.p = p, .table = ets_get(p, args[0], ETS_WRITE)};

	if (!u.table)
		return TERM_NONE;
	if (ets_is_bag(u.table))
		return bif_badarg(p);
	if (default_tuple != TERM_NONE &&
	    (!term_is_tuple(default_tuple) || tuple_size(default_tuple) < u.table->keypos))
		return bif_badarg(p);
	if (!open_update(&u, args[1], default_tuple))
		return A_false;
	if (!set_all(&u, args[2]))
		return TERM_NONE;
	close_update(&u);
	return A_true;
}

term bif_ets_update_element_3(struct process *p, const term *args)
{
	return update_element(p, args, TERM_NONE);
}

term bif_ets_update_element_4(struct process *p, const term *args)
{
	return update_element(p, args, args[3]);
}

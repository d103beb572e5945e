/* ets: selecting objects by match specs and patterns.
 *
 * Continuations are tuples of the shape OTP's ets:repair_continuation/2 knows:
 *   ordered_set  {Table, LastKey, [], Limit, Spec, [], IsBackward, 0}
 *   others       {Table, Seen, Limit, Spec, [LastKey], 0}
 * where Seen is how many objects of LastKey in a bag were returned already. */
#include "vm/bifs/bif.h"
#include "vm/ets/ets_scan.h"
#include "vm/ets/match_compiled.h"
#include "vm/vm.h"

struct selection {
	struct process *p;
	struct ets_table *table;
	struct match_program program;
	struct ets_scan scan;
	term spec;
	size_t limit; /* 0: none */
	bool is_backward;
	term results;
	term *last; /* where the list grows, for ordered_set */
	size_t len;
	term shown; /* the key of the last result, in place */
	const struct ets_object *object; /* the last object looked at */
	size_t seen;
};

static bool open_selection(struct selection *s, enum ets_access access, term id)
{
	s->results = NIL;
	s->last = &s->results;
	s->table = ets_get(s->p, id, access);
	if (!s->table)
		return false;
	if (!match_compile(&s->program, s->spec, NULL)) {
		match_release(&s->program);
		bif_badarg(s->p);
		return false;
	}
	ets_scan_open(&s->scan, s->table, &s->program, s->is_backward);
	return true;
}

static void close_selection(struct selection *s)
{
	ets_scan_close(&s->scan);
	match_release(&s->program);
}

/* The value of the next object that matches, in place; TERM_NONE at the end. */
static term next_match(struct selection *s)
{
	struct ets_object *object;

	while ((object = ets_scan_next(&s->scan))) {
		term value;

		if (s->object && ets_is_bag(s->table) &&
		    ets_same_key(s->table, ets_key(s->table, s->object), ets_key(s->table, object)))
			s->seen++;
		else
			s->seen = 1;
		s->object = object;
		value = match_run(s->p, &s->program, ets_object_tuple(object));
		if (value != TERM_NONE)
			return value;
	}
	return TERM_NONE;
}

/* Results from hash stores are put in front of the list, so objects of one key come oldest
 * first. */
static void add_result(struct selection *s, term value)
{
	term key = ets_key(s->table, s->object);

	if (s->len)
		ets_show_order(s->table, s->shown, key);
	s->shown = key;
	if (value == ets_object_tuple(s->object))
		value = ets_object_import(s->p, s->object);
	else
		value = heap_import(s->p, value);
	s->len++;
	if (!ets_is_tree(s->table)) {
		s->results = heap_cons(s->p, value, s->results);
		return;
	}
	*s->last = heap_cons(s->p, value, NIL);
	s->last = cons_ptr(*s->last) + 1;
}

static void collect(struct selection *s)
{
	term value;

	while ((!s->limit || s->len < s->limit) && (value = next_match(s)) != TERM_NONE)
		add_result(s, value);
}

static term make_continuation(struct selection *s)
{
	struct process *p = s->p;
	term id = ets_reference(p, s->table), spec = match_compiled_reference(p, s->spec);
	term key = heap_import(p, ets_key(s->table, s->object));
	term limit = heap_unsigned(p, s->limit);
	term seen = heap_unsigned(p, ets_is_bag(s->table) ? s->seen : 0);
	term backward = small_make(s->is_backward);
	term ordered[] = {id, key, NIL, limit, spec, NIL, backward, small_make(0)};
	term hashed[] = {id, seen, limit, spec, heap_cons(p, key, NIL), small_make(0)};

	return ets_is_tree(s->table) ? heap_tuple(p, 8, ordered) : heap_tuple(p, 6, hashed);
}

/* Whether no result can follow. As on the real VM, an ordered_set is not searched further when the
 * limit was reached; only for a single key it is known that no more follows. */
static bool is_at_end(struct selection *s)
{
	if (s->len < s->limit)
		return true;
	if (ets_is_tree(s->table))
		return s->scan.is_keyed && s->scan.keys.len == 1;
	return !ets_scan_next(&s->scan);
}

static term finish_chunk(struct selection *s)
{
	term rest;

	if (!s->len)
		return A_end_of_table;
	rest = is_at_end(s) ? (term)A_end_of_table : make_continuation(s);
	return heap_tuple2(s->p, s->results, rest);
}

static term select_all(struct process *p, term id, term spec, bool is_backward)
{
	struct selection s = {.p = p, .spec = spec, .is_backward = is_backward};

	if (!open_selection(&s, ETS_READ, id))
		return TERM_NONE;
	collect(&s);
	close_selection(&s);
	return s.results;
}

static term select_chunk(struct process *p, term id, term spec, term limit, bool is_backward)
{
	struct selection s = {.p = p, .spec = spec, .is_backward = is_backward};
	term result;

	if (term_is_small(limit) && small_value(limit) > 0)
		s.limit = (size_t)small_value(limit);
	if (!open_selection(&s, ETS_READ, id))
		return TERM_NONE;
	if (s.limit) {
		collect(&s);
		result = finish_chunk(&s);
	} else {
		result = bif_badarg(p);
	}
	close_selection(&s);
	return result;
}

/* ---- going on ---- */

struct continuation {
	term table;
	term key;
	size_t seen;
	term limit;
	term spec;
	bool is_backward;
};

static bool read_ordered(const term *items, struct continuation *c)
{
	*c = (struct continuation){.table = items[0], .key = items[1], .limit = items[3],
				   .spec = items[4], .is_backward = items[6] != small_make(0)};
	return true;
}

static bool read_hashed(const term *items, struct continuation *c)
{
	if (!term_is_small(items[1]) || small_value(items[1]) < 0 || !term_is_cons(items[4]))
		return false;
	*c = (struct continuation){.table = items[0], .key = cons_head(items[4]),
				   .seen = (size_t)small_value(items[1]), .limit = items[2],
				   .spec = items[3]};
	return true;
}

static bool read_continuation(struct vm *vm, term t, struct continuation *c)
{
	bool is_read = false;

	if (term_is_tuple_of(t, 8))
		is_read = read_ordered(tuple_elements(t), c);
	else if (term_is_tuple_of(t, 6))
		is_read = read_hashed(tuple_elements(t), c);
	if (!is_read || !term_is_small(c->limit) || small_value(c->limit) < 1)
		return false;
	c->spec = match_compiled_spec(vm, c->spec);
	return c->spec != TERM_NONE;
}

static term select_more(struct process *p, const term *args)
{
	struct continuation c;
	struct selection s = {.p = p};
	term result;

	if (args[0] == A_end_of_table)
		return A_end_of_table;
	if (term_is_tuple(args[0]) && tuple_size(args[0]) &&
	    !ets_get(p, tuple_element(args[0], 0), ETS_READ))
		return TERM_NONE;
	if (!read_continuation(p->vm, args[0], &c))
		return bif_badarg(p);
	s.spec = c.spec;
	s.is_backward = c.is_backward;
	s.limit = (size_t)small_value(c.limit);
	if (!open_selection(&s, ETS_READ, c.table))
		return TERM_NONE;
	ets_scan_resume(&s.scan, c.key, ets_is_bag(s.table) ? c.seen : 0);
	collect(&s);
	if (s.object && c.seen && ets_same_key(s.table, ets_key(s.table, s.object), c.key))
		s.seen += c.seen;
	result = finish_chunk(&s);
	close_selection(&s);
	return result;
}

/* ---- the functions ---- */

term bif_ets_select_1(struct process *p, const term *args)
{
	return select_more(p, args);
}

term bif_ets_select_2(struct process *p, const term *args)
{
	return select_all(p, args[0], args[1], false);
}

term bif_ets_select_3(struct process *p, const term *args)
{
	return select_chunk(p, args[0], args[1], args[2], false);
}

term bif_ets_select_reverse_1(struct process *p, const term *args)
{
	return select_more(p, args);
}

term bif_ets_select_reverse_2(struct process *p, const term *args)
{
	return select_all(p, args[0], args[1], true);
}

term bif_ets_select_reverse_3(struct process *p, const term *args)
{
	return select_chunk(p, args[0], args[1], args[2], true);
}

/* [{Pattern, [], [What]}] */
static term spec_of_pattern(struct process *p, term pattern, term what)
{
	term body = heap_cons(p, what, NIL);

	return heap_cons(p, heap_tuple3(p, pattern, NIL, body), NIL);
}

term bif_ets_match_1(struct process *p, const term *args)
{
	return select_more(p, args);
}

term bif_ets_match_2(struct process *p, const term *args)
{
	return select_all(p, args[0], spec_of_pattern(p, args[1], A_dollar_dollar), false);
}

term bif_ets_match_3(struct process *p, const term *args)
{
	term spec = spec_of_pattern(p, args[1], A_dollar_dollar);

	return select_chunk(p, args[0], spec, args[2], false);
}

term bif_ets_match_object_1(struct process *p, const term *args)
{
	return select_more(p, args);
}

term bif_ets_match_object_2(struct process *p, const term *args)
{
	return select_all(p, args[0], spec_of_pattern(p, args[1], A_dollar_underscore), false);
}

term bif_ets_match_object_3(struct process *p, const term *args)
{
	term spec = spec_of_pattern(p, args[1], A_dollar_underscore);

	return select_chunk(p, args[0], spec, args[2], false);
}

term bif_ets_select_count_2(struct process *p, const term *args)
{
	struct selection s = {.p = p, .spec = args[1]};
	size_t count = 0;
	term value;

	if (!open_selection(&s, ETS_READ, args[0]))
		return TERM_NONE;
	while ((value = next_match(&s)) != TERM_NONE)
		count += value == A_true;
	close_selection(&s);
	return heap_unsigned(p, count);
}

/* ---- changing the selected objects: first all are found, then all are changed ---- */

struct chosen {
	struct ets_object *object;
	term tuple; /* the tuple that replaces it */
};

VEC_TYPE(chosen_list, struct chosen);

term bif_ets_internal_select_delete_2(struct process *p, const term *args)
{
	struct selection s = {.p = p, .spec = args[1]};
	struct chosen_list chosen = {0};
	term value;

	if (!open_selection(&s, ETS_WRITE, args[0]))
		return TERM_NONE;
	while ((value = next_match(&s)) != TERM_NONE)
		if (value == A_true)
			*vec_push(&chosen) = (struct chosen){(struct ets_object *)s.object, value};
	close_selection(&s);
	for (size_t i = 0; i < chosen.len; i++)
		ets_remove(s.table, chosen.items[i].object);
	value = heap_unsigned(p, chosen.len);
	vec_release(&chosen);
	return value;
}

/* Whether the part of a pattern, neither list nor tuple, has the same value as a body expression. */
static bool is_kept_value(term pattern)
{
	return pattern != A_underscore && pattern != A_dollar_underscore &&
	       pattern != A_dollar_dollar && !term_is_map(pattern);
}

/* Whether the body expression `made` always has the key that the pattern matched. */
static bool is_same_key_expression(term pattern, term made, bool is_constant)
{
	VEC(term) todo = {0};
	bool is_same = true;

	*vec_push(&todo) = pattern;
	*vec_push(&todo) = made;
	while (todo.len && is_same) {
		term b = vec_pop(&todo), a = vec_pop(&todo);

		if (!is_constant && term_is_tuple_of(b, 2) && tuple_element(b, 0) == A_const) {
			is_same = match_is_exact(a) && term_equal(a, tuple_element(b, 1));
			continue;
		}
		if (!is_constant && term_is_tuple(b)) {
			is_same = tuple_size(b) == 1 && term_is_tuple(tuple_element(b, 0));
			b = is_same ? tuple_element(b, 0) : NIL;
		}
		if (term_is_cons(a) && term_is_cons(b)) {
			term parts[] = {cons_head(a), cons_head(b), cons_tail(a), cons_tail(b)};

			vec_append(&todo, parts, 4);
		} else if (term_is_tuple(a) && term_is_tuple(b)) {
			is_same = is_same && tuple_size(a) == tuple_size(b);
			for (size_t i = 0; is_same && i < tuple_size(a); i++) {
				*vec_push(&todo) = tuple_element(a, i);
				*vec_push(&todo) = tuple_element(b, i);
			}
		} else if (is_constant) {
			is_same = match_is_exact(a) && term_equal(a, b);
		} else {
			is_same = is_same && is_kept_value(a) && term_equal(a, b);
		}
	}
	vec_release(&todo);
	return is_same;
}

/* {element, KeyPos, '$_'}: the key of the object that was found. */
static bool is_key_of_object(const struct ets_table *table, term made)
{
	return term_is_tuple_of(made, 3) && tuple_element(made, 0) == A_element &&
	       tuple_element(made, 1) == small_make((int64_t)table->keypos) &&
	       tuple_element(made, 2) == A_dollar_underscore;
}

static bool keeps_key(const struct ets_table *table, const struct match_clause *clause)
{
	size_t at = table->keypos - 1;
	term made;
	bool is_constant;

	if (!term_is_cons(clause->body) || cons_tail(clause->body) != NIL)
		return false;
	made = cons_head(clause->body);
	if (made == A_dollar_underscore)
		return true;
	if (!term_is_tuple(made) || !term_is_tuple(clause->head) || tuple_size(clause->head) <= at)
		return false;
	is_constant = tuple_size(made) == 2 && tuple_element(made, 0) == A_const;
	if (!is_constant && tuple_size(made) != 1)
		return false;
	made = tuple_element(made, is_constant);
	if (!term_is_tuple(made) || tuple_size(made) <= at)
		return false;
	if (!is_constant && is_key_of_object(table, tuple_element(made, at)))
		return true;
	return is_same_key_expression(tuple_element(clause->head, at), tuple_element(made, at),
				      is_constant);
}

static bool all_keep_key(const struct selection *s)
{
	for (size_t i = 0; i < s->program.clauses.len; i++)
		if (!keeps_key(s->table, &s->program.clauses.items[i]))
			return false;
	return true;
}

/* A clause need not make a tuple ({{...}} always does). */
static bool is_replacement(const struct selection *s, term value)
{
	return term_is_tuple(value) && tuple_size(value) >= s->table->keypos;
}

term bif_ets_select_replace_2(struct process *p, const term *args)
{
	struct selection s = {.p = p, .spec = args[1]};
	struct chosen_list chosen = {0};
	term value;

	if (!open_selection(&s, ETS_WRITE, args[0]))
		return TERM_NONE;
	if (s.table->type == ETS_BAG || !all_keep_key(&s)) {
		value = s.table->type == ETS_BAG ? bif_badarg_cause(p, A_table_type)
						 : bif_badarg(p);
		close_selection(&s);
		return value;
	}
	while ((value = next_match(&s)) != TERM_NONE)
		if (is_replacement(&s, value))
			*vec_push(&chosen) = (struct chosen){(struct ets_object *)s.object, value};
	close_selection(&s);
	for (size_t i = 0; i < chosen.len; i++)
		ets_replace(s.table, chosen.items[i].object, chosen.items[i].tuple);
	value = heap_unsigned(p, chosen.len);
	vec_release(&chosen);
	return value;
}

/* Tuples, lists and funs. */
#include "base/mem.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "vm/bifs/bif.h"
#include "vm/bifs/census.h"
#include "vm/code/code.h"
#include "vm/terms/binary.h"
#include "vm/terms/print.h"
#include "vm/terms/tmap.h"
#include "vm/vm.h"

#define TUPLE_MAX ((1 << 24) - 1)

/* An index from 1 to limit, or 0. */
static size_t get_index(term t, size_t limit)
{
	if (!term_is_small(t) || small_value(t) < 1 || (uint64_t)small_value(t) > limit)
		return 0;
	return (size_t)small_value(t);
}

term bif_erlang_setelement_3(struct process *p, const term *args)
{
	size_t at = term_is_tuple(args[1]) ? get_index(args[0], tuple_size(args[1])) : 0;
	term copy;

	if (!at)
		return bif_badarg(p);
	copy = heap_tuple(p, tuple_size(args[1]), tuple_elements(args[1]));
	tuple_elements(copy)[at - 1] = args[2];
	p->fresh = boxed_ptr(copy); /* set_tuple_element may follow */
	return copy;
}

static term make_tuple(struct process *p, term size, term value)
{
	size_t n;
	term *box;

	if (!term_is_small(size) || small_value(size) < 0 || small_value(size) > TUPLE_MAX)
		return TERM_NONE;
	n = (size_t)small_value(size);
	box = heap_alloc(p, TUPLE_WORDS(n));
	box[0] = header_make(KIND_TUPLE, n);
	for (size_t i = 1; i <= n; i++)
		box[i] = value;
	return boxed_make(box);
}

term bif_erlang_make_tuple_2(struct process *p, const term *args)
{
	term tuple = make_tuple(p, args[0], args[1]);

	return tuple != TERM_NONE ? tuple : bif_badarg(p);
}

term bif_erlang_make_tuple_3(struct process *p, const term *args)
{
	term tuple = make_tuple(p, args[0], args[1]), list = args[2];

	if (tuple == TERM_NONE)
		return bif_badarg(p);
	for (; term_is_cons(list); list = cons_tail(list)) {
		term pair = cons_head(list);
		size_t at = term_is_tuple_of(pair, 2)
				    ? get_index(tuple_element(pair, 0), tuple_size(tuple))
				    : 0;

		if (!at)
			return bif_badarg(p);
		tuple_elements(tuple)[at - 1] = tuple_element(pair, 1);
	}
	return list == NIL ? tuple : bif_badarg(p);
}

static term insert_at(struct process *p, term tuple, size_t at, term value)
{
	size_t n = tuple_size(tuple);
	term *box = heap_alloc(p, TUPLE_WORDS(n + 1));

	box[0] = header_make(KIND_TUPLE, n + 1);
	memcpy(box + 1, tuple_elements(tuple), at * sizeof(term));
	box[1 + at] = value;
	memcpy(box + 2 + at, tuple_elements(tuple) + at, (n - at) * sizeof(term));
	return boxed_make(box);
}

term bif_erlang_append_element_2(struct process *p, const term *args)
{
	if (!term_is_tuple(args[0]))
		return bif_badarg(p);
	return insert_at(p, args[0], tuple_size(args[0]), args[1]);
}

term bif_erlang_insert_element_3(struct process *p, const term *args)
{
	size_t at = term_is_tuple(args[1]) ? get_index(args[0], tuple_size(args[1]) + 1) : 0;

	return at ? insert_at(p, args[1], at - 1, args[2]) : bif_badarg(p);
}

term bif_erlang_delete_element_2(struct process *p, const term *args)
{
	size_t at = term_is_tuple(args[1]) ? get_index(args[0], tuple_size(args[1])) : 0;
	size_t n;
	term *box;

	if (!at)
		return bif_badarg(p);
	n = tuple_size(args[1]) - 1;
	box = heap_alloc(p, TUPLE_WORDS(n));
	box[0] = header_make(KIND_TUPLE, n);
	memcpy(box + 1, tuple_elements(args[1]), (at - 1) * sizeof(term));
	memcpy(box + at, tuple_elements(args[1]) + at, (n - at + 1) * sizeof(term));
	return boxed_make(box);
}

term bif_erlang_tuple_to_list_1(struct process *p, const term *args)
{
	if (!term_is_tuple(args[0]))
		return bif_badarg(p);
	return heap_list(p, tuple_elements(args[0]), tuple_size(args[0]), NIL);
}

term bif_erlang_list_to_tuple_1(struct process *p, const term *args)
{
	int64_t n = list_length(args[0]);
	term list = args[0], *box;

	if (n < 0 || n > TUPLE_MAX)
		return bif_badarg(p);
	box = heap_alloc(p, TUPLE_WORDS((size_t)n));
	box[0] = header_make(KIND_TUPLE, (size_t)n);
	for (size_t i = 1; term_is_cons(list); list = cons_tail(list))
		box[i++] = cons_head(list);
	return boxed_make(box);
}

term bif_erlang_append_2(struct process *p, const term *args)
{
	int64_t n = list_length(args[0]);
	term list = args[0], result, *cell;

	if (n < 0)
		return bif_badarg(p);
	if (n == 0)
		return args[1];
	cell = heap_alloc(p, (size_t)n * CONS_WORDS);
	result = cons_make(cell);
	for (; term_is_cons(list); list = cons_tail(list), cell += 2) {
		cell[0] = cons_head(list);
		cell[1] = cons_make(cell + 2);
	}
	cell[-1] = args[1];
	return result;
}

/* For each element of the second list, the first equal element of the first list is removed. Long
 * lists are indexed by hash: (hash, how many to remove). */
struct dropped {
	term value;
	uint32_t next;
	bool gone;
};

static term subtract_indexed(struct process *p, term from, term what, size_t n)
{
	size_t slots = 16;
	uint32_t *heads;
	struct dropped *drops = mem_alloc(n * sizeof(*drops));
	term result = NIL, *last = &result;
	uint32_t len = 0;

	while (slots < 2 * n)
		slots *= 2;
	heads = mem_zalloc(slots * sizeof(*heads));
	for (; term_is_cons(what); what = cons_tail(what)) {
		uint32_t *head = &heads[term_hash(cons_head(what)) & (slots - 1)];

		drops[len] = (struct dropped){cons_head(what), *head, false};
		*head = ++len;
	}
	for (; term_is_cons(from); from = cons_tail(from)) {
		uint32_t i = heads[term_hash(cons_head(from)) & (slots - 1)];

		while (i && (drops[i - 1].gone || !term_equal(drops[i - 1].value, cons_head(from))))
			i = drops[i - 1].next;
		if (i) {
			drops[i - 1].gone = true;
			continue;
		}
		*last = heap_cons(p, cons_head(from), NIL);
		last = cons_ptr(*last) + 1;
	}
	mem_free(heads);
	mem_free(drops);
	return result;
}

term bif_erlang_subtract_2(struct process *p, const term *args)
{
	int64_t n = list_length(args[1]);

	if (list_length(args[0]) < 0 || n < 0)
		return bif_badarg(p);
	return n == 0 ? args[0] : subtract_indexed(p, args[0], args[1], (size_t)n);
}

/* ---- funs ---- */

term bif_erlang_make_fun_3(struct process *p, const term *args)
{
	term *box;

	if (!term_is_atom(args[0]) || !term_is_atom(args[1]) || !term_is_small(args[2]) ||
	    small_value(args[2]) < 0 || small_value(args[2]) > 255)
		return bif_badarg(p);
	box = heap_alloc(p, 2);
	box[0] = header_make(KIND_EXPORT, 1);
	box[1] = export_of(args[0], args[1], (unsigned)small_value(args[2]))->number;
	return boxed_make(box);
}

/* Without its code the name of a fun is not known. */
static term name_of_fun(struct process *p, const struct fun_entry *entry)
{
	if (!entry->code || code_is_lost(p->vm, entry->image))
		entry = code_loaded_fun(p->vm, entry);
	return entry ? entry->function : NIL;
}

static term local_info(struct process *p, term fun, term item)
{
	const struct fun_entry *entry = fun_entry_of(fun);
	uint8_t uniq[16];

	if (item == A_type)
		return A_local;
	if (item == A_module)
		return entry->module;
	if (item == A_name)
		return name_of_fun(p, entry);
	if (item == A_arity)
		return small_make(entry->arity);
	if (item == A_env)
		return heap_list(p, fun_free(fun), fun_free_len(fun), NIL);
	if (item == A_index || item == A_new_index)
		return small_make(item == A_index ? entry->old_index : entry->index);
	if (item == A_uniq)
		return small_make(entry->old_uniq);
	if (item == A_pid) /* since OTP 27 a fun does not know its process */
		return code_otp_release() < 27 ? p->pid : p->vm->init_pid;
	if (item == A_new_uniq) {
		memcpy(uniq, entry->uniq, sizeof(uniq));
		return binary_from(p, uniq, sizeof(uniq));
	}
	return TERM_NONE;
}

static term export_info(struct process *p, term fun, term item)
{
	const struct export *export = export_of_fun(fun);

	if (item == A_type)
		return A_external;
	if (item == A_module)
		return export->module;
	if (item == A_name)
		return export->function;
	if (item == A_arity)
		return small_make(export->arity);
	if (item == A_env)
		return NIL;
	if (item == A_index || item == A_new_index || item == A_uniq || item == A_new_uniq ||
	    item == A_pid || item == atom_from_string("refc"))
		return A_undefined;
	return TERM_NONE;
}

/* The counts of OTP 26 and later have not been measured. */
static term count_references(struct process *p, const term *args)
{
	if (p->vm->is_explored || code_otp_release() >= 26)
		return bif_unsupported(p, "erlang:fun_info(Fun, refc)");
	return heap_tuple2(p, args[1], heap_unsigned(p, census_count_fun(p, args)));
}

term bif_erlang_fun_info_2(struct process *p, const term *args)
{
	term value = TERM_NONE;

	if (term_is_local_fun(args[0]) && args[1] == atom_from_string("refc"))
		return count_references(p, args);
	if (term_is_local_fun(args[0]))
		value = local_info(p, args[0], args[1]);
	else if (term_is_export_fun(args[0]))
		value = export_info(p, args[0], args[1]);
	return value == TERM_NONE ? bif_badarg(p) : heap_tuple2(p, args[1], value);
}

term bif_erlang_fun_info_mfa_1(struct process *p, const term *args)
{
	const struct fun_entry *entry;

	if (term_is_export_fun(args[0]))
		return heap_tuple3(p, export_of_fun(args[0])->module,
				   export_of_fun(args[0])->function,
				   small_make(export_of_fun(args[0])->arity));
	if (!term_is_local_fun(args[0]))
		return bif_badarg(p);
	entry = fun_entry_of(args[0]);
	return heap_tuple3(p, entry->module, name_of_fun(p, entry), small_make(entry->arity));
}

term bif_erlang_fun_to_list_1(struct process *p, const term *args)
{
	struct strbuf text = {0};
	term result;

	if (!term_is_fun(args[0]))
		return bif_badarg(p);
	print_term(args[0], &text);
	result = heap_string(p, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

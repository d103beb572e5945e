#include "vm/terms/etf_write.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/vec.h"
#include "vm/code/code.h"
#include "vm/terms/atom.h"
#include "vm/terms/big.h"
#include "vm/terms/compare.h"
#include "vm/terms/etf_tags.h"
#include "vm/terms/remote.h"
#include "vm/terms/text.h"
#include "vm/terms/tmap.h"
#include "vm/vm.h"

/* An entry of the stack of parts that are still to be written. */
enum todo_kind {
	TODO_TERM,
	TODO_REST,    /* the inside of a list whose tag has been written, from this cell on */
	TODO_FUN_END, /* a fun is complete: t is where its size goes */
};

struct todo {
	term t;
	enum todo_kind kind;
};

VEC_TYPE(todo_vec, struct todo);

struct writer {
	struct bytes *out;
	struct etf_style style;
	struct todo_vec todo;
};

struct etf_style etf_style_default(void)
{
	return (struct etf_style){.utf8_atoms = code_otp_release() >= 26};
}

static void write_number(struct writer *w, uint64_t value, unsigned bytes)
{
	while (bytes-- > 0)
		bytes_add_byte(w->out, (uint8_t)(value >> (8 * bytes)));
}

static void write_tag(struct writer *w, enum etf_tag tag)
{
	bytes_add_byte(w->out, (uint8_t)tag);
}

static void push(struct writer *w, term t, enum todo_kind kind)
{
	*vec_push(&w->todo) = (struct todo){t, kind};
}

/* ---- atoms and numbers ---- */

/* UTF-8 as Latin-1; false when a character does not fit. */
static bool to_latin1(const struct atom_name *name, uint8_t *out)
{
	const uint8_t *text = (const uint8_t *)name->text;
	size_t at = 0;
	uint32_t c;

	for (size_t n = 0; at < name->len; n++) {
		at += utf8_decode(text + at, name->len - at, &c);
		if (c > 255)
			return false;
		out[n] = (uint8_t)c;
	}
	return true;
}

static void write_atom(struct writer *w, term atom)
{
	const struct atom_name *name = atom_name(atom);
	uint8_t latin1[ATOM_MAX_CHARS];

	if (!w->style.utf8_atoms && to_latin1(name, latin1)) {
		write_tag(w, ETF_ATOM);
		write_number(w, name->chars, 2);
		bytes_add(w->out, latin1, name->chars);
		return;
	}
	write_tag(w, name->len < 256 ? ETF_SMALL_ATOM_UTF8 : ETF_ATOM_UTF8);
	write_number(w, name->len, name->len < 256 ? 1 : 2);
	bytes_add(w->out, name->text, name->len);
}

static void write_big(struct writer *w, term t)
{
	struct integer view;
	size_t n;
	uint64_t top;

	integer_view(&view, t);
	n = (view.len - 1) * 8;
	for (top = view.limbs[view.len - 1]; top; top >>= 8)
		n++;
	write_tag(w, n < 256 ? ETF_SMALL_BIG : ETF_LARGE_BIG);
	write_number(w, n, n < 256 ? 1 : 4);
	bytes_add_byte(w->out, view.negative);
	bytes_add(w->out, view.limbs, n); /* limbs are little endian, as the format wants */
}

static void write_integer(struct writer *w, term t)
{
	int64_t value = term_is_small(t) ? small_value(t) : INT64_MAX;

	if (value >= 0 && value < 256) {
		write_tag(w, ETF_SMALL_INT);
		write_number(w, (uint64_t)value, 1);
	} else if (value >= INT32_MIN && value <= INT32_MAX) {
		write_tag(w, ETF_INT);
		write_number(w, (uint64_t)value, 4);
	} else {
		write_big(w, t);
	}
}

static void write_float(struct writer *w, term t)
{
	char text[31] = {0};
	double value = float_value(t);
	uint64_t raw;

	if (w->style.text_floats) {
		snprintf(text, sizeof(text), "%.20e", value);
		write_tag(w, ETF_OLD_FLOAT);
		bytes_add(w->out, text, sizeof(text));
		return;
	}
	memcpy(&raw, &value, sizeof(raw));
	write_tag(w, ETF_NEW_FLOAT);
	write_number(w, raw, 8);
}

/* ---- names of things ---- */

static void note_number(struct writer *w)
{
	if (w->style.has_numbers)
		*w->style.has_numbers = true;
}

static void write_pid(struct writer *w, uint64_t value)
{
	note_number(w);
	write_tag(w, ETF_NEW_PID);
	write_atom(w, A_nohost);
	write_number(w, value & 0xfffffff, 4);
	write_number(w, value >> 28, 4);
	write_number(w, 0, 4);
}

static void write_port(struct writer *w, term t)
{
	note_number(w);
	write_tag(w, ETF_V4_PORT);
	write_atom(w, A_nohost);
	write_number(w, pid_value(t), 8);
	write_number(w, 0, 4);
}

/* The flags of a reference of this machine stand in its creation (etf_tags.h). */
static void write_ref(struct writer *w, term t)
{
	note_number(w);
	write_tag(w, ETF_NEWER_REF);
	write_number(w, 4, 2);
	write_atom(w, A_nohost);
	write_number(w, ref_flags(t) ? ETF_CREATION_OF_FLAGS | ref_flags(t) : 0, 4);
	write_number(w, ref_counter(t) & UINT32_MAX, 4);
	write_number(w, ref_counter(t) >> 32, 4);
	write_number(w, ref_pid_value(t) & UINT32_MAX, 4);
	write_number(w, ref_pid_value(t) >> 32, 4);
}

static void write_remote_ref(struct writer *w, const struct remote *parts)
{
	write_tag(w, ETF_NEWER_REF);
	write_number(w, parts->numbers_len, 2);
	write_atom(w, parts->node);
	write_number(w, parts->creation, 4);
	for (size_t i = 0; i < parts->numbers_len; i++)
		write_number(w, parts->numbers[i], 4);
}

static void write_remote(struct writer *w, term t)
{
	struct remote parts = remote_read(t);
	bool is_large = parts.value >> 28 || code_otp_release() >= 26;

	if (parts.kind == KIND_REMOTE_REF) {
		write_remote_ref(w, &parts);
		return;
	}
	if (parts.kind == KIND_REMOTE_PID)
		write_tag(w, ETF_NEW_PID);
	else
		write_tag(w, is_large ? ETF_V4_PORT : ETF_NEW_PORT);
	write_atom(w, parts.node);
	if (parts.kind == KIND_REMOTE_PID) {
		write_number(w, parts.value & UINT32_MAX, 4);
		write_number(w, parts.value >> 32, 4);
	} else {
		write_number(w, parts.value, is_large ? 8 : 4);
	}
	write_number(w, parts.creation, 4);
}

static void write_export(struct writer *w, term t)
{
	const struct export *export = export_of_fun(t);

	write_tag(w, ETF_EXPORT);
	write_atom(w, export->module);
	write_atom(w, export->function);
	write_integer(w, small_make(export->arity));
}

/* The size at the front also covers the free variables: it is filled in after them. */
static void write_fun(struct writer *w, term t)
{
	const struct fun_entry *entry = fun_entry_of(t);

	write_tag(w, ETF_NEW_FUN);
	push(w, w->out->len, TODO_FUN_END);
	write_number(w, 0, 4);
	write_number(w, entry->arity, 1);
	bytes_add(w->out, entry->uniq, sizeof(entry->uniq));
	write_number(w, entry->index, 4);
	write_number(w, entry->num_free, 4);
	write_atom(w, entry->module);
	write_integer(w, small_make(entry->old_index));
	write_integer(w, small_make(entry->old_uniq));
	write_pid(w, pid_value(vm_get()->init_pid));
	for (size_t i = fun_free_len(t); i-- > 0;)
		push(w, fun_free(t)[i], TODO_TERM);
}

static void finish_fun(struct writer *w, size_t start)
{
	size_t size = w->out->len - start;

	for (unsigned i = 0; i < 4; i++)
		w->out->items[start + i] = (uint8_t)(size >> (24 - 8 * i));
}

/* ---- containers ---- */

static void write_bits(struct writer *w, term t)
{
	struct bits b = bits_of(t);
	size_t len = (b.size + 7) / 8, at;

	write_tag(w, b.size % 8 ? ETF_BIT_BINARY : ETF_BINARY);
	write_number(w, len, 4);
	if (b.size % 8)
		write_number(w, b.size % 8, 1);
	at = w->out->len;
	if (!len)
		return;
	if (at + len > w->out->cap)
		w->out->items = vec_grow(w->out->items, &w->out->cap, at + len, 1);
	w->out->len += len;
	w->out->items[at + len - 1] = 0;
	bits_copy(w->out->items + at, 0, b.bytes, b.offset, b.size);
}

static void write_list(struct writer *w, term t)
{
	size_t n = 0;
	bool is_string = true;
	term rest;

	for (rest = t; term_is_cons(rest); rest = cons_tail(rest), n++) {
		term head = cons_head(rest);

		is_string = is_string && term_is_small(head) && small_value(head) >= 0 &&
			    small_value(head) < 256;
	}
	if (is_string && rest == NIL && n <= UINT16_MAX) {
		write_tag(w, ETF_STRING);
		write_number(w, n, 2);
		for (; term_is_cons(t); t = cons_tail(t))
			bytes_add_byte(w->out, (uint8_t)small_value(cons_head(t)));
		return;
	}
	write_tag(w, ETF_LIST);
	write_number(w, n, 4);
	push(w, t, TODO_REST);
}

static void write_tuple(struct writer *w, term t)
{
	size_t n = tuple_size(t);

	write_tag(w, n < 256 ? ETF_SMALL_TUPLE : ETF_LARGE_TUPLE);
	write_number(w, n, n < 256 ? 1 : 4);
	for (size_t i = n; i-- > 0;)
		push(w, tuple_element(t, i), TODO_TERM);
}

static int compare_keys(const void *a, const void *b)
{
	return term_compare_exact(*(const term *)a, *(const term *)b);
}

static void write_map(struct writer *w, term t)
{
	size_t n = tmap_size(t), len = 0;
	term *pairs = mem_alloc((2 * n + 1) * sizeof(term)), key, value;
	struct tmap_iter it = tmap_iter(t);

	while (tmap_next(&it, &key, &value)) {
		pairs[len++] = key;
		pairs[len++] = value;
	}
	if (w->style.sorted_maps)
		qsort(pairs, n, 2 * sizeof(term), compare_keys);
	write_tag(w, ETF_MAP);
	write_number(w, n, 4);
	while (len > 0)
		push(w, pairs[--len], TODO_TERM);
	mem_free(pairs);
}

static void write_boxed(struct writer *w, term t)
{
	switch (header_kind(*boxed_ptr(t))) {
	case KIND_TUPLE:
		write_tuple(w, t);
		break;
	case KIND_BIG_POS:
	case KIND_BIG_NEG:
		write_big(w, t);
		break;
	case KIND_FLOAT:
		write_float(w, t);
		break;
	case KIND_FUN:
		write_fun(w, t);
		break;
	case KIND_EXPORT:
		write_export(w, t);
		break;
	case KIND_REF:
		write_ref(w, t);
		break;
	case KIND_FLATMAP:
	case KIND_HASHMAP:
		write_map(w, t);
		break;
	case KIND_REMOTE_PID:
	case KIND_REMOTE_PORT:
	case KIND_REMOTE_REF:
		write_remote(w, t);
		break;
	default:
		write_bits(w, t);
	}
}

static void write_term(struct writer *w, term t)
{
	if (term_is_small(t))
		write_integer(w, t);
	else if (term_is_atom(t))
		write_atom(w, t);
	else if (t == NIL)
		write_tag(w, ETF_NIL);
	else if (term_is_pid(t))
		write_pid(w, pid_value(t));
	else if (term_is_port(t))
		write_port(w, t);
	else if (term_is_cons(t))
		write_list(w, t);
	else
		write_boxed(w, t);
}

void etf_write(term t, struct etf_style style, struct bytes *out)
{
	struct writer w = {out, style, {0}};

	push(&w, t, TODO_TERM);
	while (w.todo.len) {
		struct todo next = vec_pop(&w.todo);

		if (next.kind == TODO_FUN_END) {
			finish_fun(&w, next.t);
			continue;
		}
		if (next.kind == TODO_REST && term_is_cons(next.t)) {
			push(&w, cons_tail(next.t), TODO_REST);
			next.t = cons_head(next.t);
		}
		write_term(&w, next.t);
	}
	vec_release(&w.todo);
}

#include "vm/terms/print.h"

#include <ctype.h>

#include "base/mem.h"
#include "base/vec.h"
#include "vm/code/code.h"
#include "vm/process/process.h"
#include "vm/terms/atom.h"
#include "vm/terms/big.h"
#include "vm/terms/binary.h"
#include "vm/terms/float_text.h"
#include "vm/terms/remote.h"
#include "vm/terms/text.h"
#include "vm/terms/tmap.h"

/* An entry of the stack of parts that are still to be printed: a term or punctuation. */
struct item {
	const char *text; /* NULL: print the term */
	term t;
};

VEC_TYPE(item_vec, struct item);

static void push_text(struct item_vec *items, const char *text)
{
	*vec_push(items) = (struct item){text, NIL};
}

static void push_term(struct item_vec *items, term t)
{
	*vec_push(items) = (struct item){NULL, t};
}

static bool is_reserved(const char *text)
{
	static const char *const words[] = {
		"after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor",
		"case", "catch", "cond", "div", "end", "fun", "if", "let", "not", "of", "or",
		"orelse", "receive", "rem", "try", "when", "xor",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(words[i], text) == 0)
			return true;
	return false;
}

static bool is_plain_atom(const struct atom_name *name)
{
	if (is_reserved(name->text))
		return false;
	if (!name->len || name->text[0] < 'a' || name->text[0] > 'z')
		return false;
	for (size_t i = 0; i < name->len; i++)
		if (!isalnum((unsigned char)name->text[i]) && name->text[i] != '_' &&
		    name->text[i] != '@')
			return false;
	return true;
}

void print_atom(term atom, struct strbuf *out)
{
	const struct atom_name *name = atom_name(atom);

	if (is_plain_atom(name)) {
		strbuf_add(out, name->text, name->len);
		return;
	}
	strbuf_addc(out, '\'');
	for (size_t i = 0; i < name->len; i++) {
		if (name->text[i] == '\'' || name->text[i] == '\\')
			strbuf_addc(out, '\\');
		strbuf_addc(out, name->text[i]);
	}
	strbuf_addc(out, '\'');
}

static bool is_printable_list(term list)
{
	for (; term_is_cons(list); list = cons_tail(list)) {
		term c = cons_head(list);

		if (!term_is_small(c))
			return false;
		if (!(small_value(c) >= 32 && small_value(c) < 127) && c != small_make('\n'))
			return false;
	}
	return list == NIL;
}

static void print_string(term list, struct strbuf *out)
{
	strbuf_addc(out, '"');
	for (; term_is_cons(list); list = cons_tail(list)) {
		char c = (char)small_value(cons_head(list));

		if (c == '\n') {
			strbuf_adds(out, "\\n");
			continue;
		}
		if (c == '"' || c == '\\')
			strbuf_addc(out, '\\');
		strbuf_addc(out, c);
	}
	strbuf_addc(out, '"');
}

static void print_bits(term t, struct strbuf *out)
{
	struct bits b = bits_of(t);

	strbuf_adds(out, "<<");
	for (size_t at = 0; at < b.size; at += 8) {
		unsigned n = b.size - at < 8 ? (unsigned)(b.size - at) : 8;

		strbuf_addf(out, "%s%u", at ? "," : "",
			    (unsigned)bits_get(b.bytes, b.offset + at, n));
		if (n < 8)
			strbuf_addf(out, ":%u", n);
	}
	strbuf_adds(out, ">>");
}

static void push_map(struct item_vec *items, term map)
{
	VEC(term) entries = {0};
	struct tmap_iter it = tmap_iter(map);
	term key, value;

	while (tmap_next(&it, &key, &value)) {
		*vec_push(&entries) = key;
		*vec_push(&entries) = value;
	}
	push_text(items, "}");
	for (size_t i = entries.len; i > 0; i -= 2) {
		push_term(items, entries.items[i - 1]);
		push_text(items, "=>");
		push_term(items, entries.items[i - 2]);
		if (i > 2)
			push_text(items, ",");
	}
	vec_release(&entries);
}

static void push_list(struct item_vec *items, term list)
{
	VEC(term) elements = {0};

	for (; term_is_cons(list); list = cons_tail(list))
		*vec_push(&elements) = cons_head(list);
	push_text(items, "]");
	if (list != NIL) {
		push_term(items, list);
		push_text(items, "|");
	}
	for (size_t i = elements.len; i-- > 0;) {
		push_term(items, elements.items[i]);
		if (i)
			push_text(items, ",");
	}
	vec_release(&elements);
}

static void print_export(const struct export *export, struct strbuf *out)
{
	strbuf_adds(out, "fun ");
	print_atom(export->module, out);
	strbuf_addc(out, ':');
	print_atom(export->function, out);
	strbuf_addf(out, "/%u", export->arity);
}

static void print_fun(term t, struct strbuf *out)
{
	if (term_is_export_fun(t))
		print_export(export_of_fun(t), out);
	else
		strbuf_addf(out, "#Fun<%s.%u.%u>", atom_text(fun_entry_of(t)->module),
			    fun_entry_of(t)->old_index, fun_entry_of(t)->old_uniq);
}

static void print_boxed(term t, struct strbuf *out, struct item_vec *items)
{
	char *digits;

	switch (header_kind(*boxed_ptr(t))) {
	case KIND_TUPLE:
		strbuf_addc(out, '{');
		push_text(items, "}");
		for (size_t i = tuple_size(t); i-- > 0;) {
			push_term(items, tuple_element(t, i));
			if (i)
				push_text(items, ",");
		}
		break;
	case KIND_BIG_POS:
	case KIND_BIG_NEG:
		digits = integer_to_text(t, 10);
		strbuf_adds(out, digits);
		mem_free(digits);
		break;
	case KIND_FLOAT:
		float_shortest(float_value(t), out);
		break;
	case KIND_FUN:
	case KIND_EXPORT:
		print_fun(t, out);
		break;
	case KIND_REF:
		strbuf_addf(out, "#Ref<0.%llu.%llu.%llu>", (unsigned long long)ref_pid_value(t),
			    (unsigned long long)ref_counter(t), (unsigned long long)ref_flags(t));
		break;
	case KIND_FLATMAP:
	case KIND_HASHMAP:
		strbuf_adds(out, "#{");
		push_map(items, t);
		break;
	case KIND_REMOTE_PID:
	case KIND_REMOTE_PORT:
	case KIND_REMOTE_REF:
		remote_print(t, out);
		break;
	default:
		print_bits(t, out);
	}
}

static void print_one(term t, struct strbuf *out, struct item_vec *items)
{
	if (term_is_small(t)) {
		strbuf_addf(out, "%lld", (long long)small_value(t));
	} else if (term_is_atom(t)) {
		print_atom(t, out);
	} else if (t == NIL) {
		strbuf_adds(out, "[]");
	} else if (term_is_pid(t)) {
		strbuf_addf(out, "<0.%llu.%llu>", (unsigned long long)(pid_value(t) & 0xfffffff),
			    (unsigned long long)(pid_value(t) >> 28));
	} else if (term_is_port(t)) {
		strbuf_addf(out, "#Port<0.%llu>", (unsigned long long)(t >> 4));
	} else if (term_is_cons(t) && is_printable_list(t)) {
		print_string(t, out);
	} else if (term_is_cons(t)) {
		strbuf_addc(out, '[');
		push_list(items, t);
	} else if (term_is_boxed(t)) {
		print_boxed(t, out, items);
	} else {
		strbuf_adds(out, "<none>");
	}
}

/* ---- as erlang:display/1 and crash dumps show terms ---- */

static unsigned byte_at(struct bits b, size_t bit)
{
	return (unsigned)bits_get(b.bytes, b.offset + bit, 8);
}

static bool is_printable_binary(struct bits b)
{
	for (size_t at = 0; at + 8 <= b.size; at += 8)
		if (byte_at(b, at) < 32 || byte_at(b, at) > 126)
			return false;
	return b.size && b.size % 8 == 0;
}

static bool print_as_displayed(term t, struct strbuf *out)
{
	struct bits b;

	if (term_is_float(t)) {
		strbuf_addf(out, "%e", float_value(t));
		return true;
	}
	if (!term_is_bitstring(t) || !is_printable_binary(b = bits_of(t)))
		return false;
	strbuf_adds(out, "<<\"");
	for (size_t at = 0; at < b.size; at += 8) {
		if (byte_at(b, at) == '"')
			strbuf_addc(out, '\\');
		strbuf_addc(out, (char)byte_at(b, at));
	}
	strbuf_adds(out, "\">>");
	return true;
}

static void print_items(term t, struct strbuf *out, size_t limit, bool is_display)
{
	struct item_vec items = {0};
	size_t start = out->len;

	push_term(&items, t);
	while (items.len) {
		struct item item = vec_pop(&items);

		if (item.text)
			strbuf_adds(out, item.text);
		else if (!is_display || !print_as_displayed(item.t, out))
			print_one(item.t, out, &items);
		if (out->len - start > limit) {
			strbuf_adds(out, "...");
			break;
		}
	}
	vec_release(&items);
}

void print_term_limited(term t, struct strbuf *out, size_t limit)
{
	print_items(t, out, limit, false);
}

void print_term(term t, struct strbuf *out)
{
	print_items(t, out, SIZE_MAX, false);
}

void print_display(term t, struct strbuf *out)
{
	print_items(t, out, SIZE_MAX, true);
}

void print_chars(term t, struct strbuf *out)
{
	struct bytes bytes = {0};

	if (text_flatten_utf8(t, &bytes))
		strbuf_add(out, (const char *)bytes.items, bytes.len);
	else
		print_term(t, out);
	bytes_release(&bytes);
}

/* Atoms, numbers, pids and references as text, and back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "vm/bifs/bif.h"
#include "vm/terms/big.h"
#include "vm/terms/binary.h"
#include "vm/terms/float_text.h"
#include "vm/terms/remote.h"
#include "vm/terms/text.h"
#include "vm/vm.h"

/* A flat list of characters as UTF-8; false when t is not such a list. */
static bool get_string(term list, struct bytes *out, int64_t limit)
{
	int64_t n = 0;

	for (; term_is_cons(list); list = cons_tail(list)) {
		uint8_t encoded[4];
		term c = cons_head(list);

		if (!term_is_small(c) || !char_is_valid(small_value(c)) || n++ > limit)
			return false;
		bytes_add(out, encoded, utf8_encode((uint32_t)small_value(c), encoded));
	}
	bytes_add(out, "", 1);
	out->len--;
	return list == NIL;
}

/* The bytes of a binary, NUL-terminated. */
static bool get_bytes(term t, struct bytes *out)
{
	struct bits b;

	if (!term_is_binary(t))
		return false;
	b = bits_of(t);
	for (size_t i = 0; i < b.size; i += 8)
		bytes_add_byte(out, (uint8_t)bits_get(b.bytes, b.offset + i, 8));
	bytes_add(out, "", 1);
	out->len--;
	return true;
}

/* ---- atoms ---- */

static term text_to_atom(struct process *p, const struct bytes *text, bool existing)
{
	size_t chars = 0;
	term atom;

	for (size_t i = 0; i < text->len; i++)
		chars += (text->items[i] & 0xc0) != 0x80;
	if (chars > ATOM_MAX_CHARS)
		return bif_system_limit(p);
	if (!existing)
		return atom_from_text((const char *)text->items, text->len);
	atom = atom_find_existing((const char *)text->items, text->len);
	return atom == TERM_NONE ? bif_badarg(p) : atom;
}

static term list_to_atom(struct process *p, term list, bool existing)
{
	struct bytes text = {0};
	term atom = get_string(list, &text, INT64_MAX) ? text_to_atom(p, &text, existing)
						       : bif_badarg(p);

	bytes_release(&text);
	return atom;
}

term bif_erlang_list_to_atom_1(struct process *p, const term *args)
{
	return list_to_atom(p, args[0], false);
}

term bif_erlang_list_to_existing_atom_1(struct process *p, const term *args)
{
	return list_to_atom(p, args[0], true);
}

term bif_erlang_atom_to_list_1(struct process *p, const term *args)
{
	const struct atom_name *name;
	struct bytes text = {0};
	term list = NIL, *last = &list;
	uint32_t c;

	if (!term_is_atom(args[0]))
		return bif_badarg(p);
	name = atom_name(args[0]);
	for (size_t at = 0; at < name->len;) {
		at += utf8_decode((const uint8_t *)name->text + at, name->len - at, &c);
		*last = heap_cons(p, small_make(c), NIL);
		last = cons_ptr(*last) + 1;
	}
	bytes_release(&text);
	return list;
}

static bool is_latin1_name(const struct atom_name *name)
{
	for (size_t i = 0; i < name->len; i++)
		if ((uint8_t)name->text[i] > 0xc3)
			return false;
	return true;
}

static term atom_to_binary(struct process *p, term atom, term encoding)
{
	const struct atom_name *name;
	uint8_t *bytes;
	term result;
	uint32_t c;
	size_t n = 0;

	if (!term_is_atom(atom))
		return bif_badarg(p);
	name = atom_name(atom);
	if (encoding == A_utf8 || encoding == A_unicode)
		return binary_from(p, name->text, name->len);
	if (encoding != A_latin1 || !is_latin1_name(name))
		return bif_badarg(p);
	result = binary_new(p, name->chars, &bytes);
	for (size_t at = 0; at < name->len;) {
		at += utf8_decode((const uint8_t *)name->text + at, name->len - at, &c);
		bytes[n++] = (uint8_t)c;
	}
	return result;
}

term bif_erlang_atom_to_binary_1(struct process *p, const term *args)
{
	return atom_to_binary(p, args[0], A_utf8);
}

term bif_erlang_atom_to_binary_2(struct process *p, const term *args)
{
	return atom_to_binary(p, args[0], args[1]);
}

/* Characters behind the longest atom are not looked at. */
static bool is_utf8_name(const struct bytes *text)
{
	uint32_t c;

	for (size_t at = 0, chars = 0; at < text->len && chars <= ATOM_MAX_CHARS; chars++) {
		size_t n = utf8_decode(text->items + at, text->len - at, &c);

		if (!n)
			return false;
		at += n;
	}
	return true;
}

static void latin1_to_utf8(struct bytes *text)
{
	struct bytes out = {0};

	for (size_t i = 0; i < text->len; i++) {
		uint8_t encoded[4];

		bytes_add(&out, encoded, utf8_encode(text->items[i], encoded));
	}
	bytes_release(text);
	*text = out;
}

static term binary_to_atom(struct process *p, term binary, term encoding, bool existing)
{
	struct bytes text = {0};
	bool ok = get_bytes(binary, &text);
	term atom;

	if (ok && encoding == A_latin1)
		latin1_to_utf8(&text);
	else
		ok = ok && (encoding == A_utf8 || encoding == A_unicode) && is_utf8_name(&text);
	bytes_add(&text, "", 0);
	atom = ok ? text_to_atom(p, &text, existing) : bif_badarg(p);
	bytes_release(&text);
	return atom;
}

term bif_erlang_binary_to_atom_1(struct process *p, const term *args)
{
	return binary_to_atom(p, args[0], A_utf8, false);
}

term bif_erlang_binary_to_atom_2(struct process *p, const term *args)
{
	return binary_to_atom(p, args[0], args[1], false);
}

term bif_erlang_binary_to_existing_atom_1(struct process *p, const term *args)
{
	return binary_to_atom(p, args[0], A_utf8, true);
}

term bif_erlang_binary_to_existing_atom_2(struct process *p, const term *args)
{
	return binary_to_atom(p, args[0], args[1], true);
}

/* ---- integers ---- */

static unsigned get_base(term t)
{
	int64_t base = term_is_small(t) ? small_value(t) : 0;

	return base >= 2 && base <= 36 ? (unsigned)base : 0;
}

static term integer_as(struct process *p, term t, term base_term, bool as_binary)
{
	unsigned base = get_base(base_term);
	char *text;
	term result;

	if (!term_is_integer(t) || !base)
		return bif_badarg(p);
	text = integer_to_text(t, base);
	result = as_binary ? binary_from(p, text, strlen(text)) : heap_string(p, text);
	mem_free(text);
	return result;
}

term bif_erlang_integer_to_list_1(struct process *p, const term *args)
{
	return integer_as(p, args[0], small_make(10), false);
}

term bif_erlang_integer_to_list_2(struct process *p, const term *args)
{
	return integer_as(p, args[0], args[1], false);
}

term bif_erlang_integer_to_binary_1(struct process *p, const term *args)
{
	return integer_as(p, args[0], small_make(10), true);
}

term bif_erlang_integer_to_binary_2(struct process *p, const term *args)
{
	return integer_as(p, args[0], args[1], true);
}

static term text_to_integer(struct process *p, struct bytes *text, bool ok, term base_term)
{
	unsigned base = get_base(base_term);
	term result = TERM_NONE;

	if (ok && base && text->len)
		result = integer_from_text(p, (const char *)text->items, text->len, base);
	bytes_release(text);
	return result == TERM_NONE ? bif_badarg(p) : result;
}

static term list_to_integer(struct process *p, term list, term base)
{
	struct bytes text = {0};
	bool ok = get_string(list, &text, INT64_MAX);

	return text_to_integer(p, &text, ok, base);
}

static term binary_to_integer(struct process *p, term binary, term base)
{
	struct bytes text = {0};
	bool ok = get_bytes(binary, &text);

	return text_to_integer(p, &text, ok, base);
}

term bif_erlang_list_to_integer_1(struct process *p, const term *args)
{
	return list_to_integer(p, args[0], small_make(10));
}

term bif_erlang_list_to_integer_2(struct process *p, const term *args)
{
	return list_to_integer(p, args[0], args[1]);
}

term bif_erlang_binary_to_integer_1(struct process *p, const term *args)
{
	return binary_to_integer(p, args[0], small_make(10));
}

term bif_erlang_binary_to_integer_2(struct process *p, const term *args)
{
	return binary_to_integer(p, args[0], args[1]);
}

/* ---- floats ---- */

static term float_as(struct process *p, term t, term options, bool as_binary)
{
	struct strbuf text = {0};
	term result;

	if (!term_is_float(t) || !float_format(float_value(t), options, &text)) {
		strbuf_release(&text);
		return bif_badarg(p);
	}
	result = as_binary ? binary_from(p, strbuf_text(&text), text.len)
			   : heap_string(p, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

term bif_erlang_float_to_list_1(struct process *p, const term *args)
{
	return float_as(p, args[0], NIL, false);
}

term bif_erlang_float_to_list_2(struct process *p, const term *args)
{
	return float_as(p, args[0], args[1], false);
}

term bif_erlang_float_to_binary_1(struct process *p, const term *args)
{
	return float_as(p, args[0], NIL, true);
}

term bif_erlang_float_to_binary_2(struct process *p, const term *args)
{
	return float_as(p, args[0], args[1], true);
}

static term text_to_float(struct process *p, struct bytes *text, bool ok)
{
	double value = 0;

	ok = ok && float_parse((const char *)text->items, text->len, &value);
	bytes_release(text);
	return ok ? heap_float(p, value) : bif_badarg(p);
}

term bif_erlang_list_to_float_1(struct process *p, const term *args)
{
	struct bytes text = {0};
	bool ok = get_string(args[0], &text, INT64_MAX);

	return text_to_float(p, &text, ok);
}

term bif_erlang_binary_to_float_1(struct process *p, const term *args)
{
	struct bytes text = {0};
	bool ok = get_bytes(args[0], &text);

	return text_to_float(p, &text, ok);
}

/* ---- pids and references ---- */

static term remote_text(struct process *p, term t)
{
	struct strbuf text = {0};
	term list;

	remote_print(t, &text);
	list = heap_string(p, strbuf_text(&text));
	strbuf_release(&text);
	return list;
}

/* <0.N.S>: the low 28 bits of the value and the others. */
/* Pids, ports and references have other numbers on the real machine. */
static void note_number(struct process *p)
{
	p->vm->relied_on |= p->is_system ? 0 : RELIED_ON_NUMBERS;
}

term bif_erlang_pid_to_list_1(struct process *p, const term *args)
{
	char text[64];

	if (term_is_kind(args[0], KIND_REMOTE_PID))
		return remote_text(p, args[0]);
	if (!term_is_pid(args[0]))
		return bif_badarg(p);
	note_number(p);
	snprintf(text, sizeof(text), "<0.%llu.%llu>",
		 (unsigned long long)(pid_value(args[0]) & 0xfffffff),
		 (unsigned long long)(pid_value(args[0]) >> 28));
	return heap_string(p, text);
}

term bif_erlang_list_to_pid_1(struct process *p, const term *args)
{
	struct bytes text = {0};
	unsigned long long node, number, serial;
	int used = 0;
	bool ok = get_string(args[0], &text, 60) &&
		  sscanf((char *)text.items, "<%llu.%llu.%llu>%n", &node, &number, &serial,
			 &used) == 3 &&
		  (size_t)used == text.len && node == 0 && number <= 0xfffffff &&
		  serial < 1ull << 32;

	bytes_release(&text);
	return ok ? pid_make(serial << 28 | number) : bif_badarg(p);
}

term bif_erlang_ref_to_list_1(struct process *p, const term *args)
{
	char text[96];

	if (term_is_kind(args[0], KIND_REMOTE_REF))
		return remote_text(p, args[0]);
	if (!term_is_ref(args[0]))
		return bif_badarg(p);
	note_number(p);
	snprintf(text, sizeof(text), "#Ref<0.%llu.%llu.%llu>",
		 (unsigned long long)ref_pid_value(args[0]),
		 (unsigned long long)ref_counter(args[0]), (unsigned long long)ref_flags(args[0]));
	return heap_string(p, text);
}

term bif_erlang_list_to_ref_1(struct process *p, const term *args)
{
	struct bytes text = {0};
	unsigned long long value, counter, flags;
	int used = 0;
	bool ok = get_string(args[0], &text, 90) &&
		  sscanf((char *)text.items, "#Ref<0.%llu.%llu.%llu>%n", &value, &counter, &flags,
			 &used) == 3 && (size_t)used == text.len;
	term *box;

	bytes_release(&text);
	if (!ok)
		return bif_badarg(p);
	box = heap_alloc(p, REF_WORDS);
	box[0] = header_make(KIND_REF, 3);
	box[1] = value;
	box[2] = counter;
	box[3] = flags & 1;
	return boxed_make(box);
}

term bif_erlang_port_to_list_1(struct process *p, const term *args)
{
	char text[64];

	if (term_is_kind(args[0], KIND_REMOTE_PORT))
		return remote_text(p, args[0]);
	if (!term_is_port(args[0]))
		return bif_badarg(p);
	note_number(p);
	snprintf(text, sizeof(text), "#Port<0.%llu>", (unsigned long long)(args[0] >> 4));
	return heap_string(p, text);
}

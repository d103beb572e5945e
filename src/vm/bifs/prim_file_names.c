/* prim_file: conversion of file names between Erlang and the system. */
#include <ctype.h>
#include <errno.h>

#include "vm/bifs/bif.h"
#include "vm/bifs/posix_error.h"
#include "vm/terms/text.h"
#include "vm/terms/view.h"
#include "vm/vm.h"

term posix_error(struct process *p, int number)
{
	const char *name = strerrorname_np(number);
	char text[32] = "unknown";

	if (number == EROFS)
		p->vm->relied_on |= RELIED_ON_REFUSAL;
	if (name) {
		size_t i = 0;

		for (; name[i] && i + 1 < sizeof(text); i++)
			text[i] = (char)tolower((unsigned char)name[i]);
		text[i] = 0;
	}
	return heap_tuple2(p, A_error, atom_from_string(text));
}

static bool is_utf8(const struct view *view)
{
	uint32_t c;

	for (size_t at = 0, n; at < view->len; at += n) {
		n = utf8_decode(view->bytes + at, view->len - at, &c);
		if (!n)
			return false;
	}
	return true;
}

term bif_prim_file_internal_name2native_1(struct process *p, const term *args)
{
	struct bytes name = {0};
	bool ok;
	term result;

	if (term_is_bitstring(args[0]))
		ok = iolist_flatten(args[0], &name);
	else
		ok = term_is_list(args[0]) && text_flatten_utf8(args[0], &name);
	if (!ok || (name.len && memchr(name.items, 0, name.len))) {
		bytes_release(&name);
		return bif_badarg(p);
	}
	bytes_add_byte(&name, 0);
	result = binary_from(p, name.items, name.len);
	bytes_release(&name);
	return result;
}

/* UTF-8 as a list of characters; view must be UTF-8. */
static term list_characters(struct process *p, const struct view *view)
{
	term list = NIL;
	uint32_t c;

	for (size_t end = view->len; end > 0;) {
		size_t start = end - 1;

		while (start && (view->bytes[start] & 0xc0) == 0x80)
			start--;
		utf8_decode(view->bytes + start, end - start, &c);
		list = heap_cons(p, small_make(c), list);
		end = start;
	}
	return list;
}

term bif_prim_file_internal_native2name_1(struct process *p, const term *args)
{
	struct view view;
	term result;

	if (!view_open(&view, args[0]))
		return bif_badarg(p);
	result = is_utf8(&view) ? list_characters(p, &view) : heap_tuple2(p, A_error, A_warning);
	view_close(&view);
	return result;
}

enum { FIRST_COMBINING = 0x300 };

term bif_prim_file_internal_normalize_utf8_1(struct process *p, const term *args)
{
	struct view view;
	term result;

	if (!view_open(&view, args[0]))
		return bif_badarg(p);
	result = is_utf8(&view) ? list_characters(p, &view) : bif_badarg(p);
	view_close(&view);
	for (term list = result; result != TERM_NONE && term_is_cons(list); list = cons_tail(list))
		if (small_value(cons_head(list)) >= FIRST_COMBINING)
			return bif_unsupported(p, "prim_file:internal_normalize_utf8/1 of letters with "
						  "combining accents");
	return result;
}

term bif_prim_file_is_translatable_1(struct process *p, const term *args)
{
	struct view view;
	term result;

	if (!view_open(&view, args[0]))
		return bif_badarg(p);
	result = atom_from_bool(is_utf8(&view));
	view_close(&view);
	return result;
}

/* erlang: conversions between lists, iolists, binaries and bit strings. */
#include "base/vec.h"
#include "vm/bifs/bif.h"
#include "vm/bifs/slice.h"
#include "vm/terms/text.h"
#include "vm/terms/view.h"

static term flatten_to_binary(struct process *p, term iolist)
{
	struct bytes out = {0};
	term result;

	if (!iolist_flatten(iolist, &out)) {
		bytes_release(&out);
		return bif_badarg(p);
	}
	result = binary_from(p, out.items, out.len);
	bytes_release(&out);
	return result;
}

term bif_erlang_list_to_binary_1(struct process *p, const term *args)
{
	return term_is_list(args[0]) ? flatten_to_binary(p, args[0]) : bif_badarg(p);
}

term bif_erlang_iolist_to_binary_1(struct process *p, const term *args)
{
	if (term_is_binary(args[0]))
		return args[0];
	return term_is_list(args[0]) ? flatten_to_binary(p, args[0]) : bif_badarg(p);
}

/* Makes one binary. The real VM keeps large parts apart, but that only saves copying. */
term bif_erlang_iolist_to_iovec_1(struct process *p, const term *args)
{
	term whole = bif_erlang_iolist_to_binary_1(p, args);

	if (whole == TERM_NONE)
		return TERM_NONE;
	return bitstring_size(whole) ? heap_cons(p, whole, NIL) : NIL;
}

/* ---- walking iolists ---- */

/* Calls visit for each byte and bit string of a deep list, in order. */
static bool walk_iolist(term t, bool (*visit)(void *ctx, term part), void *ctx)
{
	struct term_vec tails = {0};
	bool ok = true;

	for (;;) {
		if (term_is_cons(t)) {
			*vec_push(&tails) = cons_tail(t);
			t = cons_head(t);
			if (!term_is_small(t))
				continue;
			ok = small_value(t) >= 0 && small_value(t) <= 255 && visit(ctx, t);
		} else if (t != NIL) {
			ok = term_is_bitstring(t) && visit(ctx, t);
		}
		if (!ok || !tails.len)
			break;
		t = vec_pop(&tails);
		if (!term_is_list(t) && !term_is_bitstring(t)) {
			ok = false;
			break;
		}
	}
	vec_release(&tails);
	return ok;
}

static bool count_bytes(void *ctx, term part)
{
	size_t bits = term_is_small(part) ? 8 : bitstring_size(part);

	*(size_t *)ctx += bits / 8;
	return bits % 8 == 0;
}

term bif_erlang_iolist_size_1(struct process *p, const term *args)
{
	size_t size = 0;

	if (!term_is_list(args[0]) && !term_is_bitstring(args[0]))
		return bif_badarg(p);
	return walk_iolist(args[0], count_bytes, &size) ? heap_unsigned(p, size) : bif_badarg(p);
}

static bool count_bits(void *ctx, term part)
{
	*(size_t *)ctx += term_is_small(part) ? 8 : bitstring_size(part);
	return true;
}

struct bit_writer {
	uint8_t *bytes;
	size_t at;
};

static bool write_bits(void *ctx, term part)
{
	struct bit_writer *w = ctx;

	if (term_is_small(part)) {
		uint8_t byte = (uint8_t)small_value(part);

		bits_copy(w->bytes, w->at, &byte, 0, 8);
		w->at += 8;
	} else {
		struct bits b = bits_of(part);

		bits_copy(w->bytes, w->at, b.bytes, b.offset, b.size);
		w->at += b.size;
	}
	return true;
}

term bif_erlang_list_to_bitstring_1(struct process *p, const term *args)
{
	struct bit_writer writer = {0};
	size_t bits = 0;
	term result;

	if (!term_is_list(args[0]) || !walk_iolist(args[0], count_bits, &bits))
		return bif_badarg(p);
	result = bitstring_new(p, bits, &writer.bytes);
	walk_iolist(args[0], write_bits, &writer);
	return result;
}

/* ---- to lists ---- */

term bif_erlang_binary_to_list_1(struct process *p, const term *args)
{
	struct view view;
	term list;

	if (!view_open(&view, args[0]))
		return bif_badarg(p);
	list = heap_byte_list(p, view.bytes, view.len, NIL);
	view_close(&view);
	return list;
}

/* Positions count from 1, and both ends belong to the part. */
term bif_erlang_binary_to_list_3(struct process *p, const term *args)
{
	struct view view;
	int64_t from, to;
	term list;

	if (!term_is_small(args[1]) || !term_is_small(args[2]) || !view_open(&view, args[0]))
		return bif_badarg(p);
	from = small_value(args[1]);
	to = small_value(args[2]);
	if (from < 1 || to < from || (uint64_t)to > view.len) {
		view_close(&view);
		return bif_badarg(p);
	}
	list = heap_byte_list(p, view.bytes + from - 1, (size_t)(to - from + 1), NIL);
	view_close(&view);
	return list;
}

term bif_erlang_bitstring_to_list_1(struct process *p, const term *args)
{
	size_t bits, rest;
	struct view view;
	term list = NIL;

	if (!term_is_bitstring(args[0]))
		return bif_badarg(p);
	bits = bitstring_size(args[0]);
	rest = bits % 8;
	if (rest)
		list = heap_cons(p, bitstring_part(p, args[0], bits - rest, rest), NIL);
	if (bits >= 8) {
		view_open(&view, bitstring_part(p, args[0], 0, bits - rest));
		list = heap_byte_list(p, view.bytes, view.len, list);
		view_close(&view);
	}
	return list;
}

/* ---- parts ---- */

static term take_part(struct process *p, term binary, term position, term length)
{
	struct slice slice;

	if (!term_is_binary(binary) ||
	    !slice_read(&slice, position, length, bitstring_size(binary) / 8))
		return bif_badarg(p);
	return bitstring_part(p, binary, slice.start * 8, slice.len * 8);
}

term bif_erlang_binary_part_3(struct process *p, const term *args)
{
	return take_part(p, args[0], args[1], args[2]);
}

term bif_erlang_binary_part_2(struct process *p, const term *args)
{
	if (!term_is_tuple_of(args[1], 2))
		return bif_badarg(p);
	return take_part(p, args[0], tuple_element(args[1], 0), tuple_element(args[1], 1));
}

term bif_erlang_split_binary_2(struct process *p, const term *args)
{
	size_t bits, at;

	if (!term_is_bitstring(args[0]) || !term_is_small(args[1]) || small_value(args[1]) < 0)
		return bif_badarg(p);
	bits = bitstring_size(args[0]);
	if ((uint64_t)small_value(args[1]) > bits / 8)
		return bif_badarg(p);
	at = (size_t)small_value(args[1]) * 8;
	return heap_tuple2(p, bitstring_part(p, args[0], 0, at),
			   bitstring_part(p, args[0], at, bits - at));
}

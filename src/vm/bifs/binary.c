/* binary: all of the module except searching. */
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/bifs/slice.h"
#include "vm/terms/big.h"
#include "vm/terms/text.h"
#include "vm/terms/view.h"

static term byte_at(struct process *p, term binary, size_t i)
{
	struct bits b = bits_of(binary);

	return small_make((int64_t)bits_get(b.bytes, b.offset + i * 8, 8));
}

term bif_binary_at_2(struct process *p, const term *args)
{
	if (!term_is_binary(args[0]) || !term_is_small(args[1]) || small_value(args[1]) < 0 ||
	    (uint64_t)small_value(args[1]) >= bitstring_size(args[0]) / 8)
		return bif_badarg(p);
	return byte_at(p, args[0], (size_t)small_value(args[1]));
}

term bif_binary_first_1(struct process *p, const term *args)
{
	if (!term_is_binary(args[0]) || !bitstring_size(args[0]))
		return bif_badarg(p);
	return byte_at(p, args[0], 0);
}

term bif_binary_last_1(struct process *p, const term *args)
{
	if (!term_is_binary(args[0]) || !bitstring_size(args[0]))
		return bif_badarg(p);
	return byte_at(p, args[0], bitstring_size(args[0]) / 8 - 1);
}

static term take_part(struct process *p, term binary, struct slice slice)
{
	return bitstring_part(p, binary, slice.start * 8, slice.len * 8);
}

term bif_binary_part_2(struct process *p, const term *args)
{
	struct slice slice;

	if (!term_is_binary(args[0]) ||
	    !slice_read_tuple(&slice, args[1], bitstring_size(args[0]) / 8))
		return bif_badarg(p);
	return take_part(p, args[0], slice);
}

term bif_binary_part_3(struct process *p, const term *args)
{
	struct slice slice;

	if (!term_is_binary(args[0]) ||
	    !slice_read(&slice, args[1], args[2], bitstring_size(args[0]) / 8))
		return bif_badarg(p);
	return take_part(p, args[0], slice);
}

/* ---- lists ---- */

static term list_part(struct process *p, term binary, struct slice slice)
{
	struct view view;
	term list;

	view_open(&view, binary);
	list = heap_byte_list(p, view.bytes + slice.start, slice.len, NIL);
	view_close(&view);
	return list;
}

term bif_binary_bin_to_list_1(struct process *p, const term *args)
{
	if (!term_is_binary(args[0]))
		return bif_badarg(p);
	return list_part(p, args[0], (struct slice){0, bitstring_size(args[0]) / 8});
}

term bif_binary_bin_to_list_2(struct process *p, const term *args)
{
	struct slice slice;

	if (!term_is_binary(args[0]) ||
	    !slice_read_tuple(&slice, args[1], bitstring_size(args[0]) / 8))
		return bif_badarg(p);
	return list_part(p, args[0], slice);
}

term bif_binary_bin_to_list_3(struct process *p, const term *args)
{
	struct slice slice;

	if (!term_is_binary(args[0]) ||
	    !slice_read(&slice, args[1], args[2], bitstring_size(args[0]) / 8))
		return bif_badarg(p);
	return list_part(p, args[0], slice);
}

term bif_binary_list_to_bin_1(struct process *p, const term *args)
{
	struct bytes out = {0};
	term result;

	if (!term_is_list(args[0]) || !iolist_flatten(args[0], &out)) {
		bytes_release(&out);
		return bif_badarg(p);
	}
	result = binary_from(p, out.items, out.len);
	bytes_release(&out);
	return result;
}

/* ---- copies ---- */

static term copy_times(struct process *p, term binary, uint64_t times)
{
	struct view view;
	uint8_t *bytes;
	term result;

	view_open(&view, binary);
	if (times && view.len > ((uint64_t)1 << 36) / times) {
		view_close(&view);
		return bif_system_limit(p);
	}
	result = binary_new(p, view.len * times, &bytes);
	for (uint64_t i = 0; i < times && view.len; i++)
		memcpy(bytes + i * view.len, view.bytes, view.len);
	view_close(&view);
	return result;
}

term bif_binary_copy_1(struct process *p, const term *args)
{
	return term_is_binary(args[0]) ? copy_times(p, args[0], 1) : bif_badarg(p);
}

term bif_binary_copy_2(struct process *p, const term *args)
{
	if (!term_is_binary(args[0]) || !term_is_small(args[1]) || small_value(args[1]) < 0)
		return bif_badarg(p);
	return copy_times(p, args[0], (uint64_t)small_value(args[1]));
}

term bif_binary_referenced_byte_size_1(struct process *p, const term *args)
{
	const term *box;

	if (!term_is_bitstring(args[0]))
		return bif_badarg(p);
	box = boxed_ptr(args[0]);
	if (header_kind(box[0]) == KIND_SUBBIN)
		box = boxed_ptr(box[1]);
	if (header_kind(box[0]) == KIND_HEAPBIN && code_otp_release() >= 27) {
		size_t bits = bitstring_size(args[0]);

		return heap_unsigned(p, code_otp_release() < 29 ? bits : bits / 8);
	}
	return heap_unsigned(p, box[1]);
}

/* ---- integers ---- */

static bool read_endian(term t, bool *is_little)
{
	*is_little = t == A_little;
	return t == A_little || t == A_big;
}

static term decode_integer(struct process *p, term binary, term endian)
{
	struct view view;
	bool is_little;
	term value;

	if (!read_endian(endian, &is_little) || !view_open(&view, binary))
		return bif_badarg(p);
	if (view.len > BIG_MAX_LIMBS * 8) {
		view_close(&view);
		return bif_system_limit(p);
	}
	value = integer_from_bytes(p, view.bytes, view.len, is_little, false);
	view_close(&view);
	return value;
}

term bif_binary_decode_unsigned_1(struct process *p, const term *args)
{
	return decode_integer(p, args[0], A_big);
}

term bif_binary_decode_unsigned_2(struct process *p, const term *args)
{
	return decode_integer(p, args[0], args[1]);
}

static size_t count_bytes(term integer)
{
	struct integer view;
	uint64_t top;
	size_t n;

	integer_view(&view, integer);
	if (!view.len)
		return 1;
	n = (view.len - 1) * 8;
	for (top = view.limbs[view.len - 1]; top; top >>= 8)
		n++;
	return n;
}

static term encode_integer(struct process *p, term integer, term endian)
{
	bool is_little;
	uint8_t *bytes;
	size_t len;
	term result;

	if (!read_endian(endian, &is_little) || !term_is_integer(integer) ||
	    (term_is_small(integer) ? small_value(integer) < 0 : big_is_negative(integer)))
		return bif_badarg(p);
	len = count_bytes(integer);
	result = binary_new(p, len, &bytes);
	integer_to_bytes(integer, bytes, len, is_little);
	return result;
}

term bif_binary_encode_unsigned_1(struct process *p, const term *args)
{
	return encode_integer(p, args[0], A_big);
}

term bif_binary_encode_unsigned_2(struct process *p, const term *args)
{
	return encode_integer(p, args[0], args[1]);
}

/* ---- common ends ---- */

static size_t common_length(const struct view *a, const struct view *b, size_t limit,
			    bool is_suffix)
{
	size_t n = 0;

	while (n < limit && (is_suffix ? a->bytes[a->len - 1 - n] == b->bytes[b->len - 1 - n]
				       : a->bytes[n] == b->bytes[n]))
		n++;
	return n;
}

static term common_of_list(struct process *p, term list, bool is_suffix)
{
	struct view first, view;
	size_t common;

	if (!term_is_cons(list) || !view_open(&first, cons_head(list)))
		return bif_badarg(p);
	common = first.len;
	for (list = cons_tail(list); term_is_cons(list); list = cons_tail(list)) {
		if (!view_open(&view, cons_head(list)))
			break;
		common = common_length(&first, &view, common < view.len ? common : view.len,
				       is_suffix);
		view_close(&view);
	}
	view_close(&first);
	return list == NIL ? heap_unsigned(p, common) : bif_badarg(p);
}

term bif_binary_longest_common_prefix_1(struct process *p, const term *args)
{
	return common_of_list(p, args[0], false);
}

term bif_binary_longest_common_suffix_1(struct process *p, const term *args)
{
	return common_of_list(p, args[0], true);
}

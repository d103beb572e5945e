#include "vm/exec/bs_build.h"

#include <math.h>

#include "base/mem.h"
#include "vm/bifs/bif.h"
#include "vm/exec/exception.h"
#include "vm/machine.h"
#include "vm/terms/arith.h"
#include "vm/terms/atom.h"
#include "vm/terms/big.h"
#include "vm/terms/text.h"
#include "vm/terms/tmap.h"

static struct bs_filling *const filling = &machine.bs.filling;

/* ---- sizes ---- */

static bool is_negative(term integer)
{
	return term_is_small(integer) ? small_value(integer) < 0 : big_is_negative(integer);
}

/* Raises badarg; `what` and `value` become part of the error_info. */
static bool fail(struct process *p, struct bs_segment *s, term what, term value)
{
	bif_badarg(p);
	s->failed_what = what;
	s->failed_value = value;
	return false;
}

/* The size is not a number of bits: system_limit if it is too large, else badarg. */
static bool fail_size(struct process *p, struct bs_segment *s)
{
	fail(p, s, A_size, s->size);
	if (term_is_integer(s->size) && !is_negative(s->size))
		bif_system_limit(p);
	return false;
}

static bool measure_binary(struct process *p, struct bs_segment *s)
{
	size_t have;

	if (!term_is_bitstring(s->value))
		return fail(p, s, A_type, s->value);
	have = bitstring_size(s->value);
	if (s->size == A_all) {
		s->bits = have;
		if (s->unit && have % s->unit == 0)
			return true;
		return fail(p, s, A_unit, s->value);
	}
	if (!bs_size(s->size, s->unit, &s->bits))
		return fail_size(p, s);
	return s->bits <= have || fail(p, s, A_short, s->value);
}

static bool measure_char(struct process *p, struct bs_segment *s)
{
	int64_t c = term_is_small(s->value) ? small_value(s->value) : -1;
	uint8_t encoded[4];

	if (!char_is_valid(c))
		return fail(p, s, A_type, s->value);
	s->bits = s->type == BS_UTF32   ? 32
		  : s->type == BS_UTF16 ? (c > 0xffff ? 32 : 16)
					: 8 * utf8_encode((uint32_t)c, encoded);
	return true;
}

static bool measure_number(struct process *p, struct bs_segment *s)
{
	double value;

	if (!bs_size(s->size, s->unit, &s->bits))
		return fail_size(p, s);
	if (s->type == BS_INTEGER ? !term_is_integer(s->value) : !term_is_number(s->value))
		return fail(p, s, A_type, s->value);
	if (s->type == BS_INTEGER)
		return true;
	if (s->bits != 16 && s->bits != 32 && s->bits != 64)
		return fail(p, s, atom_from_string("invalid"), small_make((int64_t)s->bits));
	/* A number that does not fit must raise before anything is written. */
	return number_to_double(s->value, &value) ||
	       fail(p, s, atom_from_string("no_float"), s->value);
}

/* Copying a large binary costs reductions, one for a kilobyte, which a search does not count. */
static void charge(struct process *p, const struct bs_segment *s)
{
	enum { LARGE = 1 << 16, BITS_PER_CALL = 1 << 13 };

	if (s->bits > LARGE && !p->vm->is_explored)
		p->calls += s->bits / BITS_PER_CALL;
}

bool bs_measure(struct process *p, struct bs_segment *s)
{
	switch (s->type) {
	case BS_BINARY:
	case BS_APPEND:
	case BS_PRIVATE_APPEND:
		if (!measure_binary(p, s))
			return false;
		charge(p, s);
		return true;
	case BS_UTF8:
	case BS_UTF16:
	case BS_UTF32:
		return measure_char(p, s);
	case BS_STRING:
		s->bits = (size_t)small_value(s->size) * 8;
		return true;
	default:
		return measure_number(p, s);
	}
}

/* ---- writing ---- */

static void put_bytes(const uint8_t *bytes, size_t bits)
{
	bits_copy(filling->bytes, filling->at, bytes, 0, bits);
	filling->at += bits;
}

/* The low `bits` bits of the value: big endian, or little endian with the partial byte last. */
static void put_integer(const struct bs_segment *s)
{
	size_t len = (s->bits + 7) / 8, rest = s->bits % 8;
	uint8_t small[16], *bytes = len <= sizeof(small) ? small : mem_alloc(len);
	bool little = s->flags & (BS_LITTLE | BS_NATIVE);

	integer_to_bytes(s->value, bytes, len, little);
	if (!rest) {
		put_bytes(bytes, s->bits);
	} else if (little) {
		uint8_t last = (uint8_t)(bytes[len - 1] << (8 - rest));

		put_bytes(bytes, s->bits - rest);
		put_bytes(&last, rest);
	} else {
		bits_copy(filling->bytes, filling->at, bytes, 8 - rest, s->bits);
		filling->at += s->bits;
	}
	if (bytes != small)
		mem_free(bytes);
}

/* A value that is too large becomes infinity, as with 32 bits. */
static uint16_t double_to_half(double value)
{
	int exponent;
	double mantissa = frexp(fabs(value), &exponent);
	unsigned sign = signbit(value) ? 0x8000 : 0, bits;

	if (value == 0)
		return (uint16_t)sign;
	exponent += 14;
	if (exponent <= 0)
		bits = (unsigned)nearbyint(ldexp(mantissa, 10 + exponent));
	else
		bits = ((unsigned)exponent << 10) + (unsigned)nearbyint(ldexp(mantissa, 11)) - 1024;
	return (uint16_t)(sign | (bits > 0x7c00 ? 0x7c00 : bits));
}

static bool put_float(const struct bs_segment *s)
{
	double value;
	uint8_t bytes[8];
	uint64_t raw;
	size_t len = s->bits / 8;

	if (!number_to_double(s->value, &value))
		return false;
	memcpy(&raw, &value, sizeof(raw));
	if (len == 4) {
		float single = (float)value;
		uint32_t narrow;

		memcpy(&narrow, &single, sizeof(narrow));
		raw = narrow;
	} else if (len == 2) {
		raw = double_to_half(value);
	}
	for (size_t i = 0; i < len; i++) {
		bool little = s->flags & (BS_LITTLE | BS_NATIVE);

		bytes[little ? i : len - 1 - i] = (uint8_t)(raw >> (8 * i));
	}
	put_bytes(bytes, s->bits);
	return true;
}

static void put_char(const struct bs_segment *s)
{
	uint32_t c = (uint32_t)small_value(s->value);
	bool little = s->flags & (BS_LITTLE | BS_NATIVE);
	uint16_t units[2] = {(uint16_t)c, 0};
	uint8_t bytes[4];

	if (s->type == BS_UTF8) {
		put_bytes(bytes, 8 * utf8_encode(c, bytes));
		return;
	}
	if (s->type == BS_UTF32) {
		for (unsigned i = 0; i < 4; i++)
			bytes[little ? i : 3 - i] = (uint8_t)(c >> (8 * i));
		put_bytes(bytes, 32);
		return;
	}
	if (c > 0xffff) {
		units[0] = (uint16_t)(0xd800 + ((c - 0x10000) >> 10));
		units[1] = (uint16_t)(0xdc00 + ((c - 0x10000) & 0x3ff));
	}
	for (unsigned i = 0; i < s->bits / 16; i++) {
		bytes[2 * i + !little] = (uint8_t)units[i];
		bytes[2 * i + little] = (uint8_t)(units[i] >> 8);
	}
	put_bytes(bytes, s->bits);
}

bool bs_fill(struct bs_segment *s)
{
	struct bits b;

	if (s->bits > filling->end - filling->at)
		return false;
	switch (s->type) {
	case BS_INTEGER:
		put_integer(s);
		return true;
	case BS_FLOAT:
		return put_float(s);
	case BS_UTF8:
	case BS_UTF16:
	case BS_UTF32:
		put_char(s);
		return true;
	case BS_STRING:
		put_bytes(s->string, s->bits);
		return true;
	default:
		b = bits_of(s->value);
		bits_copy(filling->bytes, filling->at, b.bytes, b.offset, s->bits);
		filling->at += s->bits;
		return true;
	}
}

/* ---- beginning ---- */

term bs_fill_new(struct process *p, size_t bits)
{
	term t = bitstring_new(p, bits, &filling->bytes);

	filling->at = 0;
	filling->end = bits;
	return t;
}

static term build_writable(struct process *p, term whole, size_t bits)
{
	term *box = heap_alloc(p, SUBBIN_WORDS);

	box[0] = header_make(KIND_SUBBIN, SUBBIN_WORDS - 1);
	box[1] = whole;
	box[2] = bits;
	box[3] = 0;
	box[4] = 1;
	return boxed_make(box);
}

static term new_writable(struct process *p, size_t bits, size_t room)
{
	struct refc_binary *binary = refc_binary_new(room);
	term *hp = heap_alloc(p, REFCBIN_WORDS);
	size_t used = (bits + 7) / 8;

	binary->used = used;
	binary->used_bits = bits;
	filling->bytes = binary->bytes;
	return build_writable(p, refcbin_build(&hp, binary, used, &p->off_heap), bits);
}

term bs_writable(struct process *p, size_t room)
{
	return new_writable(p, 0, room);
}

static bool is_writable(term old)
{
	const term *box = boxed_ptr(old);

	return header_kind(box[0]) == KIND_SUBBIN && box[4] &&
	       header_kind(*boxed_ptr(box[1])) == KIND_REFCBIN;
}

/* The bytes of a new block for so many: as many as on the real VM. */
static size_t choose_room(term old, size_t bytes)
{
	return bytes < 128 && !is_writable(old) ? 256 : bytes * 2;
}

/* Whether `old` ends where the used part of its block ends, so that the bytes behind it belong to
 * no other bit string. */
static bool can_grow(term old, size_t total)
{
	const term *box = boxed_ptr(old);
	const struct refc_binary *binary;

	if (!is_writable(old))
		return false;
	binary = (const struct refc_binary *)boxed_ptr(box[1])[2];
	return box[3] + box[2] == binary->used_bits && box[3] == 0 &&
	       (total + 7) / 8 <= binary->cap;
}

term bs_fill_append(struct process *p, term old, size_t bits)
{
	size_t have = bitstring_size(old), total = have + bits;
	term result;
	struct bits b;

	if (can_grow(old, total)) {
		term whole = boxed_ptr(old)[1];
		struct refc_binary *binary = (struct refc_binary *)boxed_ptr(whole)[2];

		binary->used = (total + 7) / 8;
		binary->used_bits = total;
		boxed_ptr(whole)[1] = binary->used;
		*filling = (struct bs_filling){binary->bytes, have, total};
		if (total % 8 && total / 8 >= (have + 7) / 8)
			binary->bytes[total / 8] = 0;
		return build_writable(p, whole, total);
	}
	b = bits_of(old);
	result = new_writable(p, total, choose_room(old, (total + 7) / 8));
	if (total % 8)
		filling->bytes[total / 8] = 0;
	bits_copy(filling->bytes, 0, b.bytes, b.offset, have);
	filling->at = have;
	filling->end = total;
	return result;
}

/* error_info: #{cause => {Segment, Type, What, Value}, function => format_bs_fail,
 * module => ...} */
static void explain(struct process *p, const struct bs_segment *s)
{
	static const term types[] = {A_integer, A_float, A_binary, A_utf8, A_utf16,
				     A_utf32, A_string, A_append, A_private_append};
	term pairs[6] = {A_cause, NIL, A_function, A_format_bs_fail, A_module, A_erl_erts_errors};
	term type = s->type == BS_APPEND || s->type == BS_PRIVATE_APPEND ? (term)A_binary
									 : types[s->type];
	term *hp;

	if (!s->failed_what)
		return;
	hp = heap_alloc(p, TUPLE_WORDS(4));
	pairs[1] = tuple_build4(&hp, small_make(s->number), type, s->failed_what,
				s->failed_value);
	exception_explain(p, tmap_from_pairs(p, pairs, 3));
}

term bs_create(struct process *p, struct bs_segment *segments, size_t n)
{
	bool appends = n && (segments[0].type == BS_APPEND ||
			     segments[0].type == BS_PRIVATE_APPEND);
	size_t total = 0;
	term result;

	for (size_t i = 0; i < n; i++) {
		if (!bs_measure(p, &segments[i])) {
			explain(p, &segments[i]);
			return TERM_NONE;
		}
		total += segments[i].bits;
	}
	if (total > (size_t)1 << 40)
		return bif_system_limit(p);
	if (appends && total == segments[0].bits && total)
		return segments[0].value;
	if (appends)
		result = bs_fill_append(p, segments[0].value, total - segments[0].bits);
	else
		result = bs_fill_new(p, total);
	for (size_t i = appends; i < n; i++)
		if (!bs_fill(&segments[i]))
			return bif_badarg(p);
	return result;
}

#include "vm/exec/bs_match.h"

#include <math.h>

#include "base/mem.h"
#include "vm/terms/atom.h"
#include "vm/terms/big.h"
#include "vm/terms/text.h"

const uint8_t *ctx_bytes(term ctx)
{
	const term *whole = boxed_ptr(boxed_ptr(ctx)[1]);

	if (header_kind(whole[0]) == KIND_HEAPBIN)
		return (const uint8_t *)(whole + 2);
	return ((const struct refc_binary *)whole[2])->bytes;
}

term ctx_build(term **hp, term bitstring)
{
	const term *from = boxed_ptr(bitstring);
	struct bits b = bits_of(bitstring);
	term *box = *hp;

	box[0] = header_make(KIND_MATCHCTX, MATCHCTX_WORDS - 1);
	box[1] = header_kind(from[0]) == KIND_SUBBIN ? from[1] : bitstring;
	box[2] = b.offset;
	box[3] = b.offset + b.size;
	*hp = box + MATCHCTX_WORDS;
	return boxed_make(box);
}

bool bs_size(term size, size_t unit, size_t *bits)
{
	if (!term_is_small(size) || small_value(size) < 0)
		return false;
	return !__builtin_mul_overflow((size_t)small_value(size), unit, bits) &&
	       *bits <= (size_t)1 << 48;
}

/* Up to 64 bits, little endian: whole bytes first, then the partial one on top. */
static uint64_t get_little(const uint8_t *bytes, size_t pos, unsigned n)
{
	uint64_t value = 0;
	unsigned done = 0;

	while (n - done >= 8) {
		value |= bits_get(bytes, pos + done, 8) << done;
		done += 8;
	}
	if (done < n)
		value |= bits_get(bytes, pos + done, n - done) << done;
	return value;
}

static term get_wide(struct process *p, const uint8_t *bytes, size_t pos, size_t bits,
		     unsigned flags)
{
	size_t len = (bits + 7) / 8;
	uint8_t *copy = mem_zalloc(len + 1);
	bool little = flags & BS_LITTLE;
	size_t rest = bits % 8;
	term result;

	if (little) {
		bits_copy(copy, 0, bytes, pos, bits - rest);
		if (rest)
			copy[len - 1] = (uint8_t)bits_get(bytes, pos + bits - rest, (unsigned)rest);
	} else {
		bits_copy(copy, (8 - rest) % 8, bytes, pos, bits);
	}
	if ((flags & BS_SIGNED) && rest) { /* extend the sign over the unused bits */
		uint8_t *top = &copy[little ? len - 1 : 0];

		if (*top >> (rest - 1) & 1)
			*top |= (uint8_t)(0xff << rest);
	}
	result = integer_from_bytes(p, copy, len, little, flags & BS_SIGNED);
	mem_free(copy);
	return result;
}

term bs_get_integer(struct process *p, term ctx, size_t bits, unsigned flags)
{
	size_t pos = ctx_offset(ctx);
	const uint8_t *bytes = ctx_bytes(ctx);
	uint64_t value;

	if (ctx_left(ctx) < bits)
		return TERM_NONE;
	if (flags & BS_NATIVE)
		flags |= BS_LITTLE;
	ctx_skip(ctx, bits);
	if (bits > 64)
		return get_wide(p, bytes, pos, bits, flags);
	if (!bits)
		return small_make(0);
	value = flags & BS_LITTLE ? get_little(bytes, pos, (unsigned)bits)
				  : bits_get(bytes, pos, (unsigned)bits);
	if (!(flags & BS_SIGNED))
		return heap_unsigned(p, value);
	return heap_integer(p, (int64_t)(value << (64 - bits)) >> (64 - bits));
}

static double half_to_double(uint64_t half)
{
	int exponent = (int)(half >> 10 & 31);
	double mantissa = (double)(half & 0x3ff);
	double value = exponent == 31 ? NAN
		       : exponent ? ldexp(1 + mantissa / 1024, exponent - 15)
				  : ldexp(mantissa, -24);

	return half >> 15 ? -value : value;
}

term bs_get_float(struct process *p, term ctx, size_t bits, unsigned flags)
{
	const uint8_t *bytes = ctx_bytes(ctx);
	uint64_t raw;
	double value;

	if (ctx_left(ctx) < bits || (bits != 16 && bits != 32 && bits != 64))
		return bits == 0 ? heap_float(p, 0) : TERM_NONE;
	if (flags & BS_NATIVE)
		flags |= BS_LITTLE;
	raw = flags & BS_LITTLE ? get_little(bytes, ctx_offset(ctx), (unsigned)bits)
				: bits_get(bytes, ctx_offset(ctx), (unsigned)bits);
	if (bits == 64) {
		memcpy(&value, &raw, sizeof(value));
	} else if (bits == 32) {
		uint32_t narrow = (uint32_t)raw;
		float single;

		memcpy(&single, &narrow, sizeof(single));
		value = single;
	} else {
		value = half_to_double(raw);
	}
	if (!isfinite(value))
		return TERM_NONE;
	ctx_skip(ctx, bits);
	return heap_float(p, value);
}

term bs_get_binary(struct process *p, term ctx, size_t bits)
{
	term part;

	if (ctx_left(ctx) < bits)
		return TERM_NONE;
	part = bitstring_part(p, ctx, 0, bits);
	ctx_skip(ctx, bits);
	return part;
}

term bs_get_utf8(term ctx)
{
	uint8_t bytes[4] = {0};
	size_t n = ctx_left(ctx) / 8 < 4 ? ctx_left(ctx) / 8 : 4;
	uint32_t c;

	bits_copy(bytes, 0, ctx_bytes(ctx), ctx_offset(ctx), n * 8);
	n = utf8_decode(bytes, n, &c);
	if (!n)
		return TERM_NONE;
	ctx_skip(ctx, n * 8);
	return small_make(c);
}

static uint32_t get_unit(term ctx, size_t offset, unsigned bits, unsigned flags)
{
	const uint8_t *bytes = ctx_bytes(ctx);
	bool little = flags & (BS_LITTLE | BS_NATIVE);
	size_t pos = ctx_offset(ctx) + offset;

	return (uint32_t)(little ? get_little(bytes, pos, bits) : bits_get(bytes, pos, bits));
}

term bs_get_utf16(term ctx, unsigned flags)
{
	uint32_t high, low;

	if (ctx_left(ctx) < 16)
		return TERM_NONE;
	high = get_unit(ctx, 0, 16, flags);
	if (high < 0xd800 || high > 0xdfff) {
		ctx_skip(ctx, 16);
		return small_make(high);
	}
	if (high > 0xdbff || ctx_left(ctx) < 32)
		return TERM_NONE;
	low = get_unit(ctx, 16, 16, flags);
	if (low < 0xdc00 || low > 0xdfff)
		return TERM_NONE;
	ctx_skip(ctx, 32);
	return small_make(0x10000 + ((high & 0x3ff) << 10 | (low & 0x3ff)));
}

term bs_get_utf32(term ctx, unsigned flags)
{
	uint32_t c;

	if (ctx_left(ctx) < 32)
		return TERM_NONE;
	c = get_unit(ctx, 0, 32, flags);
	if (!char_is_valid(c))
		return TERM_NONE;
	ctx_skip(ctx, 32);
	return small_make(c);
}

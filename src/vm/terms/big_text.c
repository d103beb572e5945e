/* Integers as digits and as bytes. */
#include <gmp.h>

#include "base/mem.h"
#include "vm/terms/big.h"

static const char digit_chars[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

char *integer_to_text(term t, unsigned base)
{
	struct integer x;
	size_t room, len;
	unsigned char *digits;
	mp_limb_t *copy;
	char *text;

	integer_view(&x, t);
	if (!x.len)
		return mem_strdup("0");
	room = x.len * 64 / (base < 4 ? 1 : base < 8 ? 2 : base < 16 ? 3 : base < 32 ? 4 : 5) + 3;
	digits = mem_alloc(room);
	copy = mem_dup(x.limbs, x.len * sizeof(mp_limb_t)); /* mpn_get_str destroys it */
	len = mpn_get_str(digits, (int)base, copy, (mp_size_t)x.len);
	text = mem_alloc(len + 2);
	{
		size_t at = 0, from = 0;

		if (x.negative)
			text[at++] = '-';
		while (from + 1 < len && digits[from] == 0)
			from++;
		while (from < len)
			text[at++] = digit_chars[digits[from++]];
		text[at] = 0;
	}
	mem_free(copy);
	mem_free(digits);
	return text;
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'Z')
		return c - 'A' + 10;
	return 99;
}

term integer_from_text(struct process *p, const char *text, size_t len, unsigned base)
{
	bool negative = len && text[0] == '-';
	unsigned char *digits;
	uint64_t *limbs;
	size_t used;
	term result = TERM_NONE;

	if (len && (text[0] == '-' || text[0] == '+')) {
		text++;
		len--;
	}
	if (!len)
		return TERM_NONE;
	digits = mem_alloc(len);
	limbs = mem_alloc((len * 6 / 64 + 2) * sizeof(uint64_t));
	for (size_t i = 0; i < len; i++) {
		int value = digit_value(text[i]);

		if (value >= (int)base)
			goto out;
		digits[i] = (unsigned char)value;
	}
	used = (size_t)mpn_set_str((mp_limb_t *)limbs, digits, len, (int)base);
	result = integer_build(p, limbs, used, negative);
out:
	mem_free(digits);
	mem_free(limbs);
	return result;
}

term integer_from_bytes(struct process *p, const uint8_t *bytes, size_t n, bool is_little,
			bool is_signed)
{
	size_t len = n / 8 + 1;
	uint64_t stack[20], *limbs = len <= 20 ? stack : mem_alloc(len * sizeof(uint64_t));
	bool negative = is_signed && n && bytes[is_little ? n - 1 : 0] >> 7;
	term result;

	memset(limbs, negative ? 0xff : 0, len * sizeof(uint64_t));
	for (size_t i = 0; i < n; i++)
		((uint8_t *)limbs)[i] = bytes[is_little ? i : n - 1 - i];
	if (negative)
		mpn_neg((mp_limb_t *)limbs, (mp_limb_t *)limbs, (mp_size_t)len);
	result = integer_build(p, limbs, len, negative);
	if (limbs != stack)
		mem_free(limbs);
	return result;
}

void integer_to_bytes(term t, uint8_t *bytes, size_t n, bool is_little)
{
	struct integer x;
	unsigned carry = 1;

	integer_view(&x, t);
	for (size_t i = 0; i < n; i++) {
		unsigned byte = i / 8 < x.len ? (unsigned)(x.limbs[i / 8] >> (i % 8 * 8)) & 0xff
					      : 0;

		if (x.negative) {
			byte = (~byte & 0xff) + carry;
			carry = byte >> 8;
			byte &= 0xff;
		}
		bytes[is_little ? i : n - 1 - i] = (uint8_t)byte;
	}
}

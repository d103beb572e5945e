#include "beamfile/compact.h"

enum { LONG_LEN = 9, MAX_INTEGER_BYTES = 1 << 20 };

/* The number of bytes of a long integer: 2..8 from the tag byte, or 9 and more. */
static size_t read_length(struct cursor *c, uint8_t first)
{
	if (first >> 5 < 7)
		return (size_t)(first >> 5) + 2;
	if (cursor_left(c) && (*c->at & 0xf8) == 0xf8) /* a length whose length has a length */
		c->bad = true;
	return (size_t)compact_read_u(c, MAX_INTEGER_BYTES) + LONG_LEN;
}

static void read_long(struct cursor *c, uint8_t first, struct compact *out)
{
	size_t len = read_length(c, first);
	const uint8_t *bytes = cursor_take(c, len);
	uint64_t value;

	if (!bytes)
		return;
	while (len > 8 && ((bytes[0] == 0 && !(bytes[1] & 0x80)) ||
			   (bytes[0] == 0xff && bytes[1] & 0x80))) { /* sign only */
		bytes++;
		len--;
	}
	if (len > 8) {
		out->bytes = bytes;
		out->len = len;
		return;
	}
	value = bytes[0] & 0x80 ? UINT64_MAX : 0;
	for (size_t i = 0; i < len; i++)
		value = value << 8 | bytes[i];
	out->value = (int64_t)value;
}

struct compact compact_read(struct cursor *c)
{
	uint8_t first = cursor_u8(c);
	struct compact out = {.tag = first & 7};

	if (out.tag == COMPACT_EXTENDED) {
		out.value = first >> 4;
		c->bad |= (first & 0x08) != 0;
	} else if (!(first & 0x08)) {
		out.value = first >> 4;
	} else if (!(first & 0x10)) {
		out.value = (first & 0xe0) << 3 | cursor_u8(c);
	} else {
		read_long(c, first, &out);
	}
	return out;
}

uint32_t compact_read_u(struct cursor *c, uint32_t max)
{
	struct compact term;

	if (c->bad)
		return 0;
	term = compact_read(c);
	if (term.tag != COMPACT_U || term.bytes || term.value < 0 || term.value > max)
		c->bad = true;
	return c->bad ? 0 : (uint32_t)term.value;
}

/* cursor.h: reading big-endian numbers from bytes that have not been checked.
 *
 * A read past the end gives 0 and sets `bad`, once and for ever, so that a parser
 * may read a whole row of fields and look at `bad` afterwards. A loop over a count
 * taken from the input must either check `bad` in each turn or check first, with
 * cursor_left(), that so many items can be there at all.
 */
#ifndef BEAMFILE_CURSOR_H
#define BEAMFILE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cursor {
	const uint8_t *at;
	const uint8_t *end;
	bool bad;
};

static inline struct cursor cursor_over(const void *bytes, size_t len)
{
	return (struct cursor){.at = bytes, .end = (const uint8_t *)bytes + len};
}

static inline size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->at);
}

/* The next len bytes, or NULL (and bad) when there are fewer. */
static inline const uint8_t *cursor_take(struct cursor *c, size_t len)
{
	const uint8_t *bytes = c->at;

	if (c->bad || cursor_left(c) < len) {
		c->bad = true;
		return NULL;
	}
	c->at += len;
	return bytes;
}

static inline uint64_t cursor_uint(struct cursor *c, size_t len)
{
	const uint8_t *bytes = cursor_take(c, len);
	uint64_t value = 0;

	for (size_t i = 0; bytes && i < len; i++)
		value = value << 8 | bytes[i];
	return value;
}

static inline uint8_t cursor_u8(struct cursor *c)
{
	const uint8_t *bytes = cursor_take(c, 1); /* the most frequent one by far */

	return bytes ? *bytes : 0;
}

static inline uint16_t cursor_u16(struct cursor *c)
{
	return (uint16_t)cursor_uint(c, 2);
}

static inline uint32_t cursor_u32(struct cursor *c)
{
	return (uint32_t)cursor_uint(c, 4);
}

#endif

/* bytes.h: plain data as bytes, for messages between processes and for files.
 *
 * *       bytes_put(&buf, &number, sizeof(number)); *     ... *   struct bytes_in in = {buf.text,
 * buf.len}; *     number = bytes_u32(&in); *      if (in.is_short) ... the text ended too early;
 * everything read is 0 ...
 *
 * Numbers are in the order of this machine: both sides are the same build of the tool. A reader
 * never reads beyond its end, so a damaged text is noticed once, after reading.
 */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/strbuf.h"

struct bytes_in {
	const char *at; /* borrowed */
	size_t len;     /* left */
	bool is_short;  /* more was wanted than there was */
};

static inline void bytes_put(struct strbuf *out, const void *from, size_t len)
{
	if (len)
		strbuf_add(out, from, len);
}

static inline void bytes_put_u8(struct strbuf *out, uint8_t value)
{
	bytes_put(out, &value, sizeof(value));
}

static inline void bytes_put_u32(struct strbuf *out, uint32_t value)
{
	bytes_put(out, &value, sizeof(value));
}

static inline void bytes_put_u64(struct strbuf *out, uint64_t value)
{
	bytes_put(out, &value, sizeof(value));
}

/* A text with its length before it. */
static inline void bytes_put_text(struct strbuf *out, const char *text, size_t len)
{
	bytes_put_u64(out, len);
	bytes_put(out, text, len);
}

/* The next bytes, in place; NULL at a short end. */
static inline const char *bytes_take(struct bytes_in *in, size_t len)
{
	const char *at = in->at;

	if (in->is_short || len > in->len) {
		in->is_short = true;
		return NULL;
	}
	in->at += len;
	in->len -= len;
	return at;
}

static inline void bytes_get(struct bytes_in *in, void *to, size_t len)
{
	const char *from = bytes_take(in, len);

	if (from)
		memcpy(to, from, len);
	else
		memset(to, 0, len);
}

static inline uint8_t bytes_u8(struct bytes_in *in)
{
	uint8_t value;

	bytes_get(in, &value, sizeof(value));
	return value;
}

static inline uint32_t bytes_u32(struct bytes_in *in)
{
	uint32_t value;

	bytes_get(in, &value, sizeof(value));
	return value;
}

static inline uint64_t bytes_u64(struct bytes_in *in)
{
	uint64_t value;

	bytes_get(in, &value, sizeof(value));
	return value;
}

/* A text of bytes_put_text as a reader of its own. */
static inline struct bytes_in bytes_text(struct bytes_in *in)
{
	uint64_t len = bytes_u64(in);
	const char *at = bytes_take(in, len);

	return (struct bytes_in){.at = at, .len = at ? len : 0, .is_short = !at};
}

/* A number of items that follow, each of at least so many bytes. */
static inline uint32_t bytes_count(struct bytes_in *in, size_t item_bytes)
{
	uint32_t count = bytes_u32(in);

	if (item_bytes && count > in->len / item_bytes) {
		in->is_short = true;
		return 0;
	}
	return count;
}

#endif

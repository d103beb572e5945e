#include "container.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/bug.h"

enum { HEADER_LEN = 12 };

struct byte_vec file_bytes(const char *path)
{
	struct byte_vec bytes = {0};
	FILE *file = fopen(path, "rb");
	int c;

	BUG_ON(!file, "cannot open %s", path);
	while ((c = getc(file)) != EOF)
		*vec_push(&bytes) = (uint8_t)c;
	fclose(file);
	return bytes;
}

void push_u32(struct byte_vec *out, uint32_t value)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		*vec_push(out) = (uint8_t)(value >> shift);
}

static uint32_t get_u32(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static size_t padded(size_t len)
{
	return (len + 3) & ~(size_t)3;
}

const uint8_t *chunk_find(const struct byte_vec *file, const char *id, size_t *len)
{
	for (size_t at = HEADER_LEN; at + 8 <= file->len;) {
		*len = get_u32(file->items + at + 4);
		if (memcmp(file->items + at, id, 4) == 0)
			return file->items + at + 8;
		at += 8 + padded(*len);
	}
	*len = 0;
	return NULL;
}

static void push_chunk(struct byte_vec *out, const uint8_t *id, const uint8_t *body, size_t len)
{
	vec_append(out, id, 4);
	push_u32(out, (uint32_t)len);
	vec_append(out, body, len);
	while (out->len % 4)
		*vec_push(out) = 0;
}

struct byte_vec chunk_replace(const struct byte_vec *file, const char *id,
			      const struct byte_vec *body)
{
	struct byte_vec out = {0};
	uint32_t size;

	vec_append(&out, file->items, HEADER_LEN);
	for (size_t at = HEADER_LEN; at + 8 <= file->len;) {
		size_t len = get_u32(file->items + at + 4);

		if (memcmp(file->items + at, id, 4) != 0)
			push_chunk(&out, file->items + at, file->items + at + 8, len);
		at += 8 + padded(len);
	}
	if (body)
		push_chunk(&out, (const uint8_t *)id, body->items, body->len);
	size = (uint32_t)out.len - 8;
	for (int i = 0; i < 4; i++)
		out.items[4 + i] = (uint8_t)(size >> (24 - 8 * i));
	return out;
}

struct byte_vec gzip_bytes(const struct byte_vec *plain)
{
	z_stream z = {0};
	struct byte_vec out = {0};

	deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
	vec_reserve(&out, deflateBound(&z, plain->len));
	z.next_in = plain->items;
	z.avail_in = (uInt)plain->len;
	z.next_out = out.items;
	z.avail_out = (uInt)out.cap;
	BUG_ON(deflate(&z, Z_FINISH) != Z_STREAM_END, "cannot pack");
	out.len = z.total_out;
	deflateEnd(&z);
	return out;
}

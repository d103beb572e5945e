#include "beamfile/inflate.h"

#include <zlib.h>

#include "base/mem.h"

enum {
	MAX_RATIO = 1100,     /* deflate cannot do better than about 1032 to 1 */
	GZIP_WINDOW = 15 + 16, /* zlib's way to ask for a gzip header */
	FIRST_ROOM = 64 << 10,
};

bool inflate_exact(struct arena *arena, const uint8_t *bytes, size_t len, size_t size,
		   const uint8_t **out, struct err *err)
{
	uLongf got = size;
	uint8_t *room;

	if (size / MAX_RATIO > len)
		return err_set(err, "claims to unpack to %zu bytes", size);
	room = arena_alloc(arena, size);
	if (uncompress(room, &got, bytes, len) != Z_OK || got != size)
		return err_set(err, "does not unpack to %zu bytes", size);
	*out = room;
	return true;
}

bool inflate_gzip(const uint8_t *bytes, size_t len, size_t limit, uint8_t **out, size_t *out_len,
		  struct err *err)
{
	z_stream z = {.next_in = (Bytef *)bytes, .avail_in = (uInt)len};
	size_t cap = FIRST_ROOM;
	uint8_t *room;
	int status;

	if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
		return err_set(err, "cannot start to unpack gzip");
	room = mem_alloc(cap);
	for (;;) {
		z.next_out = room + z.total_out;
		z.avail_out = (uInt)(cap - z.total_out);
		status = inflate(&z, Z_NO_FLUSH);
		if (status != Z_OK || z.avail_out || cap >= limit)
			break;
		cap *= 2;
		room = mem_realloc(room, cap);
	}
	*out_len = z.total_out;
	inflateEnd(&z);
	if (status != Z_STREAM_END) {
		mem_free(room);
		return err_set(err, cap >= limit ? "gzip: unpacks to more than %zu bytes"
						 : "gzip: broken or truncated stream (limit %zu)",
			       limit);
	}
	*out = room;
	return true;
}

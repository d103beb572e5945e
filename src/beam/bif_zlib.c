/* zlib on whole data. Streams (zlib:open and what goes with it) are not supported: they would
 * keep state outside the region. */
#include <zlib.h>

#include "beam/bif.h"
#include "beam/binary.h"
#include "beam/text.h"

/* Window bits choose the wrapping, as zlib has it. */
enum wrapping { WRAP_ZLIB = 15, WRAP_RAW = -15, WRAP_GZIP = 31 };

/* Output past this is refused rather than eaten. */
#define UNPACK_MAX ((size_t)1 << 30)

/* Runs a stream to its end, step is deflate or inflate; false on bad data. */
static bool run_stream(z_stream *stream, int (*step)(z_stream *, int), struct bytes *out)
{
	uint8_t block[16384];
	int status;

	do {
		stream->next_out = block;
		stream->avail_out = sizeof(block);
		status = step(stream, Z_FINISH);
		bytes_add(out, block, sizeof(block) - stream->avail_out);
		if (out->len > UNPACK_MAX)
			return false;
	} while (status == Z_OK || (status == Z_BUF_ERROR && stream->avail_out == 0));
	return status == Z_STREAM_END;
}

static bool pack(const struct bytes *in, enum wrapping wrapping, struct bytes *out)
{
	z_stream stream = {.next_in = in->items, .avail_in = (uInt)in->len};
	bool ok;

	if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, wrapping, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return false;
	ok = run_stream(&stream, deflate, out);
	deflateEnd(&stream);
	return ok;
}

static bool unpack(const struct bytes *in, enum wrapping wrapping, struct bytes *out)
{
	z_stream stream = {.next_in = in->items, .avail_in = (uInt)in->len};
	bool ok;

	if (inflateInit2(&stream, wrapping) != Z_OK)
		return false;
	ok = run_stream(&stream, inflate, out);
	inflateEnd(&stream);
	return ok;
}

static term convert(struct process *p, term data, enum wrapping wrapping,
		    bool (*work)(const struct bytes *, enum wrapping, struct bytes *))
{
	struct bytes in = {0}, out = {0};
	term result;

	if (!iolist_flatten(data, &in))
		result = bif_badarg(p);
	else if (!work(&in, wrapping, &out))
		result = bif_error(p, A_data_error);
	else
		result = binary_from(p, out.items, out.len);
	bytes_release(&in);
	bytes_release(&out);
	return result;
}

term bif_zlib_compress_1(struct process *p, const term *args)
{
	return convert(p, args[0], WRAP_ZLIB, pack);
}

term bif_zlib_uncompress_1(struct process *p, const term *args)
{
	return convert(p, args[0], WRAP_ZLIB, unpack);
}

term bif_zlib_zip_1(struct process *p, const term *args)
{
	return convert(p, args[0], WRAP_RAW, pack);
}

term bif_zlib_unzip_1(struct process *p, const term *args)
{
	return convert(p, args[0], WRAP_RAW, unpack);
}

term bif_zlib_gzip_1(struct process *p, const term *args)
{
	return convert(p, args[0], WRAP_GZIP, pack);
}

term bif_zlib_gunzip_1(struct process *p, const term *args)
{
	return convert(p, args[0], WRAP_GZIP, unpack);
}

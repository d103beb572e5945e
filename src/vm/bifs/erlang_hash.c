/* erlang: portable hashes of terms, checksums of bytes. */
#include <zlib.h>

#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/terms/big.h"
#include "vm/terms/binary.h"
#include "vm/terms/md5.h"
#include "vm/terms/phash.h"
#include "vm/terms/view.h"

/* 1 .. 2^32 */
static bool read_range(term t, uint64_t *range)
{
	return term_is_small(t) && small_value(t) >= 1 &&
	       (*range = (uint64_t)small_value(t)) <= (uint64_t)1 << 32;
}

term bif_erlang_phash_2(struct process *p, const term *args)
{
	uint64_t range;

	if (!read_range(args[1], &range))
		return bif_badarg(p);
	return small_make((int64_t)(phash(args[0]) % range) + 1);
}

term bif_erlang_phash2_1(struct process *p, const term *args)
{
	return small_make(phash2(args[0]) & ((1u << 27) - 1));
}

term bif_erlang_phash2_2(struct process *p, const term *args)
{
	uint64_t range;

	if (!read_range(args[1], &range))
		return bif_badarg(p);
	return small_make((int64_t)(phash2(args[0]) % range));
}

/* ---- md5; the context is a binary of the program ---- */

term bif_erlang_md5_1(struct process *p, const term *args)
{
	struct view view;
	struct md5 md5;
	uint8_t digest[16];

	if (!view_open_iolist(&view, args[0]))
		return bif_badarg(p);
	md5_init(&md5);
	md5_update(&md5, view.bytes, view.len);
	md5_final(&md5, digest);
	view_close(&view);
	return binary_from(p, digest, sizeof(digest));
}

/* Programs see how large a context is. */
enum { CONTEXT_BYTES_MAX = 96 };

static size_t context_bytes(void)
{
	return code_otp_release() < 27 ? sizeof(struct md5) : code_otp_release() < 29 ? 92 : 96;
}

static term make_context(struct process *p, const struct md5 *md5)
{
	uint8_t bytes[CONTEXT_BYTES_MAX] = {0};

	memcpy(bytes, md5, sizeof(*md5));
	return binary_from(p, bytes, context_bytes());
}

static bool read_context(struct md5 *md5, term t)
{
	struct view view;
	bool ok;

	if (!view_open(&view, t))
		return false;
	ok = view.len == context_bytes();
	if (ok)
		memcpy(md5, view.bytes, sizeof(*md5));
	view_close(&view);
	return ok;
}

term bif_erlang_md5_init_0(struct process *p, const term *args)
{
	struct md5 md5;

	memset(&md5, 0, sizeof(md5));
	md5_init(&md5);
	return make_context(p, &md5);
}

term bif_erlang_md5_update_2(struct process *p, const term *args)
{
	struct view view;
	struct md5 md5;

	if (!read_context(&md5, args[0]) || !view_open_iolist(&view, args[1]))
		return bif_badarg(p);
	md5_update(&md5, view.bytes, view.len);
	view_close(&view);
	return make_context(p, &md5);
}

term bif_erlang_md5_final_1(struct process *p, const term *args)
{
	struct md5 md5;
	uint8_t digest[16];

	if (!read_context(&md5, args[0]))
		return bif_badarg(p);
	md5_final(&md5, digest);
	return binary_from(p, digest, sizeof(digest));
}

/* ---- crc32, adler32 ---- */

typedef uLong checksum(uLong start, const Bytef *bytes, z_size_t len);
typedef uLong combine(uLong first, uLong second, z_off_t len);

static bool read_sum(term t, uint64_t *sum)
{
	return term_is_small(t) && small_value(t) >= 0 &&
	       (*sum = (uint64_t)small_value(t)) <= UINT32_MAX;
}

static term sum_bytes(struct process *p, uint64_t start, term iolist, checksum *sum)
{
	struct view view;
	uint64_t result;

	if (!view_open_iolist(&view, iolist))
		return bif_badarg(p);
	result = view.len ? sum(start, view.bytes, view.len) : start;
	view_close(&view);
	return heap_unsigned(p, result);
}

static term combine_sums(struct process *p, const term *args, combine *join)
{
	uint64_t first, second, len;

	if (!read_sum(args[0], &first) || !read_sum(args[1], &second) ||
	    !term_is_small(args[2]) || small_value(args[2]) < 0)
		return bif_badarg(p);
	len = (uint64_t)small_value(args[2]);
	return heap_unsigned(p, join(first, second, (z_off_t)len));
}

term bif_erlang_crc32_1(struct process *p, const term *args)
{
	return sum_bytes(p, 0, args[0], crc32_z);
}

term bif_erlang_crc32_2(struct process *p, const term *args)
{
	uint64_t start;

	if (!read_sum(args[0], &start))
		return bif_badarg(p);
	return sum_bytes(p, start, args[1], crc32_z);
}

term bif_erlang_crc32_combine_3(struct process *p, const term *args)
{
	return combine_sums(p, args, crc32_combine);
}

term bif_erlang_adler32_1(struct process *p, const term *args)
{
	return sum_bytes(p, 1, args[0], adler32_z);
}

term bif_erlang_adler32_2(struct process *p, const term *args)
{
	uint64_t start;

	if (!read_sum(args[0], &start))
		return bif_badarg(p);
	return sum_bytes(p, start, args[1], adler32_z);
}

term bif_erlang_adler32_combine_3(struct process *p, const term *args)
{
	return combine_sums(p, args, adler32_combine);
}

/* erlang: term_to_binary, binary_to_term and their options. */
#include <zlib.h>

#include "base/mem.h"
#include "vm/bifs/bif.h"
#include "vm/terms/binary.h"
#include "vm/terms/etf.h"
#include "vm/terms/etf_tags.h"
#include "vm/terms/etf_write.h"
#include "vm/terms/text.h"
#include "vm/terms/view.h"
#include "vm/vm.h"

struct write_options {
	struct etf_style style;
	int level; /* of compression; 0: none */
};

static bool read_pair_option(struct write_options *o, term name, term value)
{
	int64_t n;

	if (!term_is_small(value))
		return false;
	n = small_value(value);
	if (name == A_compressed && n >= 0 && n <= 9) {
		o->level = (int)n;
		return true;
	}
	if (name == A_minor_version && n >= 0 && n <= 2) {
		o->style.text_floats = n == 0;
		o->style.utf8_atoms = n == 2;
		return true;
	}
	return false;
}

static bool read_write_options(struct write_options *o, term list)
{
	*o = (struct write_options){etf_style_default(), 0};
	for (; term_is_cons(list); list = cons_tail(list)) {
		term option = cons_head(list);

		if (option == A_compressed)
			o->level = Z_DEFAULT_COMPRESSION;
		else if (option == A_deterministic)
			o->style.sorted_maps = true;
		else if (!term_is_tuple_of(option, 2) ||
			 !read_pair_option(o, tuple_element(option, 0), tuple_element(option, 1)))
			return false;
	}
	return list == NIL;
}

/* Replaces the bytes after the version byte by their compressed form, if that is shorter. */
static void compress_term(struct bytes *out, int level)
{
	uLongf len = compressBound(out->len);
	size_t body = out->len - 1;
	uint8_t *packed = mem_alloc(len);

	if (compress2(packed, &len, out->items + 1, body, level) == Z_OK && len + 5 <= body) {
		out->items[1] = ETF_COMPRESSED;
		for (unsigned i = 0; i < 4; i++)
			out->items[2 + i] = (uint8_t)(body >> (24 - 8 * i));
		memcpy(out->items + 6, packed, len);
		out->len = 6 + len;
	}
	mem_free(packed);
}

static term write_binary(struct process *p, term t, term options)
{
	struct write_options o;
	struct bytes out = {0};
	bool has_numbers = false;
	term result;

	if (!read_write_options(&o, options))
		return bif_badarg(p);
	bytes_add_byte(&out, ETF_VERSION);
	o.style.has_numbers = &has_numbers;
	etf_write(t, o.style, &out);
	if (has_numbers && !p->is_system)
		p->vm->relied_on |= RELIED_ON_NUMBERS;
	if (o.level)
		compress_term(&out, o.level);
	result = binary_from(p, out.items, out.len);
	bytes_release(&out);
	return result;
}

term bif_erlang_term_to_binary_1(struct process *p, const term *args)
{
	return write_binary(p, args[0], NIL);
}

term bif_erlang_term_to_binary_2(struct process *p, const term *args)
{
	return write_binary(p, args[0], args[1]);
}

static term write_iovec(struct process *p, term t, term options)
{
	term whole = write_binary(p, t, options);

	return whole == TERM_NONE ? TERM_NONE : heap_cons(p, whole, NIL);
}

term bif_erlang_term_to_iovec_1(struct process *p, const term *args)
{
	return write_iovec(p, args[0], NIL);
}

term bif_erlang_term_to_iovec_2(struct process *p, const term *args)
{
	return write_iovec(p, args[0], args[1]);
}

static term measure_term(struct process *p, term t, term options)
{
	struct write_options o;
	struct bytes out = {0};
	size_t len;

	if (!read_write_options(&o, options))
		return bif_badarg(p);
	etf_write(t, o.style, &out);
	len = out.len + 1;
	bytes_release(&out);
	return heap_unsigned(p, len);
}

term bif_erlang_external_size_1(struct process *p, const term *args)
{
	return measure_term(p, args[0], NIL);
}

term bif_erlang_external_size_2(struct process *p, const term *args)
{
	return measure_term(p, args[0], args[1]);
}

/* ---- reading ---- */

/* The bytes behind a compressed header, unpacked; *used is the number of input bytes used. */
static uint8_t *unpack(const uint8_t *bytes, size_t len, size_t *unpacked, size_t *used)
{
	z_stream stream = {0};
	uint8_t *out;
	int status;

	if (len < 4)
		return NULL;
	*unpacked = (size_t)bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
	/* zlib packs at most about 1032 to 1: a larger size is wrong */
	if (*unpacked / 1032 > len || inflateInit(&stream) != Z_OK)
		return NULL;
	out = mem_alloc(*unpacked + 1);
	stream.next_in = (Bytef *)bytes + 4;
	stream.avail_in = (uInt)(len - 4);
	stream.next_out = out;
	stream.avail_out = (uInt)*unpacked + 1;
	status = inflate(&stream, Z_FINISH);
	*used = 4 + stream.total_in;
	inflateEnd(&stream);
	if (status == Z_STREAM_END && stream.total_out == *unpacked)
		return out;
	mem_free(out);
	return NULL;
}

static term build_term(struct process *p, const uint8_t *bytes, size_t len, bool safe,
		       size_t *used)
{
	struct etf_size size;
	term *hp;

	if (!etf_measure(bytes, len, safe, &size))
		return TERM_NONE;
	*used = size.bytes;
	hp = heap_alloc(p, size.words);
	return etf_build(bytes, len, &hp, &p->off_heap, false);
}

static term read_term(struct process *p, const struct view *view, bool safe, size_t *used)
{
	const uint8_t *body = view->bytes + 1;
	size_t len = view->len - 1, unpacked, inner_used;
	uint8_t *inner;
	term result;

	if (view->len < 2 || view->bytes[0] != ETF_VERSION)
		return TERM_NONE;
	if (*body != ETF_COMPRESSED) {
		result = build_term(p, body, len, safe, used);
		*used += 1;
		return result;
	}
	inner = unpack(body + 1, len - 1, &unpacked, used);
	*used += 2;
	if (!inner)
		return TERM_NONE;
	result = build_term(p, inner, unpacked, safe, &inner_used);
	mem_free(inner);
	return result;
}

static term read_binary(struct process *p, term binary, bool safe, bool wants_used)
{
	struct view view;
	size_t used = 0;
	term result;

	if (!view_open(&view, binary))
		return bif_badarg(p);
	result = read_term(p, &view, safe, &used);
	view_close(&view);
	if (result == TERM_NONE)
		return bif_badarg(p);
	return wants_used ? heap_tuple2(p, result, heap_unsigned(p, used)) : result;
}

term bif_erlang_binary_to_term_1(struct process *p, const term *args)
{
	return read_binary(p, args[0], false, false);
}

term bif_erlang_binary_to_term_2(struct process *p, const term *args)
{
	bool safe = false, used = false;
	term list = args[1];

	for (; term_is_cons(list); list = cons_tail(list)) {
		safe |= cons_head(list) == A_safe;
		used |= cons_head(list) == A_used;
		if (cons_head(list) != A_safe && cons_head(list) != A_used)
			return bif_badarg(p);
	}
	if (list != NIL)
		return bif_badarg(p);
	return read_binary(p, args[0], safe, used);
}

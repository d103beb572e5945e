#include "beamfile/etf.h"

#include <stdlib.h>
#include <string.h>

#include "beamfile/cursor.h"
#include "beamfile/utf8.h"

enum {
	ETF_VERSION = 131,
	MAX_DEPTH = 2000, /* the reader recurses */
	OLD_FLOAT_LEN = 31,
};

enum tag {
	TAG_NEW_FLOAT = 70, TAG_BIT_BINARY = 77, TAG_NEW_PID = 88, TAG_NEW_PORT = 89,
	TAG_NEWER_REF = 90, TAG_SMALL_INT = 97, TAG_INT = 98, TAG_FLOAT = 99, TAG_ATOM = 100,
	TAG_REF = 101, TAG_PORT = 102, TAG_PID = 103, TAG_SMALL_TUPLE = 104, TAG_TUPLE = 105,
	TAG_NIL = 106, TAG_STRING = 107, TAG_LIST = 108, TAG_BINARY = 109, TAG_SMALL_BIG = 110,
	TAG_BIG = 111, TAG_NEW_FUN = 112, TAG_EXPORT = 113, TAG_NEW_REF = 114,
	TAG_SMALL_ATOM = 115, TAG_MAP = 116, TAG_ATOM_UTF8 = 118, TAG_SMALL_ATOM_UTF8 = 119,
	TAG_V4_PORT = 120,
};

struct reader {
	struct arena *arena;
	struct cursor in;
	size_t budget; /* items that containers may still claim: one input byte each */
	int depth;
};

static bool read_term(struct reader *r, struct etf_term *out);

static bool read_items(struct reader *r, enum etf_kind kind, size_t len, struct etf_term *out)
{
	struct etf_term *items;

	if (r->in.bad || len > r->budget || r->depth >= MAX_DEPTH)
		return false;
	r->budget -= len;
	r->depth++;
	items = arena_alloc(r->arena, len * sizeof(*items));
	*out = (struct etf_term){.kind = kind, .len = (uint32_t)len, .items = items};
	for (size_t i = 0; i < len; i++)
		if (!read_term(r, &items[i]))
			return false;
	r->depth--;
	return true;
}

static bool read_bytes(struct reader *r, enum etf_kind kind, size_t len, int64_t value,
		       struct etf_term *out)
{
	*out = (struct etf_term){.kind = kind, .len = (uint32_t)len, .value = value};
	out->bytes = cursor_take(&r->in, len);
	return out->bytes != NULL;
}

static bool read_atom(struct reader *r, size_t len, bool is_latin1, struct etf_term *out)
{
	if (!read_bytes(r, ETF_ATOM, len, 0, out))
		return false;
	if (is_latin1)
		out->bytes = (uint8_t *)utf8_from_latin1(r->arena, out->bytes, len, &out->len);
	return true;
}

static bool read_big(struct reader *r, size_t len, struct etf_term *out)
{
	uint8_t sign = cursor_u8(&r->in);
	uint64_t value = 0;

	if (!read_bytes(r, ETF_BIG, len, sign ? -1 : 1, out))
		return false;
	if (len >= 8) /* 8 bytes may need 65 bits with the sign */
		return true;
	for (size_t i = len; i-- > 0;)
		value = value << 8 | out->bytes[i];
	*out = (struct etf_term){.kind = ETF_INT,
				 .value = sign ? -(int64_t)value : (int64_t)value};
	return true;
}

static bool read_new_float(struct reader *r, struct etf_term *out)
{
	uint64_t bits = cursor_uint(&r->in, 8);

	*out = (struct etf_term){.kind = ETF_FLOAT};
	memcpy(&out->number, &bits, sizeof(bits));
	return !r->in.bad;
}

static bool read_old_float(struct reader *r, struct etf_term *out)
{
	const uint8_t *bytes = cursor_take(&r->in, OLD_FLOAT_LEN);
	char text[OLD_FLOAT_LEN + 1] = {0};

	if (!bytes)
		return false;
	memcpy(text, bytes, OLD_FLOAT_LEN);
	*out = (struct etf_term){.kind = ETF_FLOAT, .number = strtod(text, NULL)};
	return true;
}

static bool read_list(struct reader *r, struct etf_term *out)
{
	size_t len = cursor_u32(&r->in);

	if (len == 0) /* legal, odd: the tail alone */
		return r->depth++ < MAX_DEPTH && read_term(r, out) && r->depth-- > 0;
	return read_items(r, ETF_LIST, len + 1, out);
}

static bool read_bit_binary(struct reader *r, struct etf_term *out)
{
	size_t len = cursor_u32(&r->in);
	uint8_t bits = cursor_u8(&r->in);

	return bits >= 1 && bits <= 8 && read_bytes(r, ETF_BINARY, len, bits, out);
}

/* A node name and some bytes. */
static bool skip_identifier(struct reader *r, size_t len, struct etf_term *out)
{
	struct etf_term node;

	*out = (struct etf_term){.kind = ETF_OTHER};
	return r->depth++ < MAX_DEPTH && read_term(r, &node) && cursor_take(&r->in, len) &&
	       r->depth-- > 0;
}

static bool skip_reference(struct reader *r, size_t creation_len, struct etf_term *out)
{
	size_t words = cursor_u16(&r->in);

	return skip_identifier(r, creation_len + 4 * words, out);
}

static bool skip_fun(struct reader *r, struct etf_term *out)
{
	size_t size = cursor_u32(&r->in);

	*out = (struct etf_term){.kind = ETF_OTHER};
	return size >= 4 && cursor_take(&r->in, size - 4);
}

static bool read_number(struct reader *r, int64_t value, struct etf_term *out)
{
	*out = (struct etf_term){.kind = ETF_INT, .value = value};
	return !r->in.bad;
}

static bool read_term(struct reader *r, struct etf_term *out)
{
	struct cursor *in = &r->in;

	switch (cursor_u8(in)) {
	case TAG_SMALL_INT: return read_number(r, cursor_u8(in), out);
	case TAG_INT: return read_number(r, (int32_t)cursor_u32(in), out);
	case TAG_SMALL_BIG: return read_big(r, cursor_u8(in), out);
	case TAG_BIG: return read_big(r, cursor_u32(in), out);
	case TAG_NEW_FLOAT: return read_new_float(r, out);
	case TAG_FLOAT: return read_old_float(r, out);
	case TAG_ATOM: return read_atom(r, cursor_u16(in), true, out);
	case TAG_SMALL_ATOM: return read_atom(r, cursor_u8(in), true, out);
	case TAG_ATOM_UTF8: return read_atom(r, cursor_u16(in), false, out);
	case TAG_SMALL_ATOM_UTF8: return read_atom(r, cursor_u8(in), false, out);
	case TAG_SMALL_TUPLE: return read_items(r, ETF_TUPLE, cursor_u8(in), out);
	case TAG_TUPLE: return read_items(r, ETF_TUPLE, cursor_u32(in), out);
	case TAG_NIL: *out = (struct etf_term){.kind = ETF_NIL}; return true;
	case TAG_STRING: return read_bytes(r, ETF_STRING, cursor_u16(in), 0, out);
	case TAG_LIST: return read_list(r, out);
	case TAG_BINARY: return read_bytes(r, ETF_BINARY, cursor_u32(in), 8, out);
	case TAG_BIT_BINARY: return read_bit_binary(r, out);
	case TAG_MAP: return read_items(r, ETF_MAP, 2 * (size_t)cursor_u32(in), out);
	case TAG_EXPORT: return read_items(r, ETF_EXPORT, 3, out);
	case TAG_NEW_FUN: return skip_fun(r, out);
	case TAG_NEW_PID: return skip_identifier(r, 12, out);
	case TAG_PID: return skip_identifier(r, 9, out);
	case TAG_NEW_PORT: return skip_identifier(r, 8, out);
	case TAG_PORT: return skip_identifier(r, 5, out);
	case TAG_V4_PORT: return skip_identifier(r, 12, out);
	case TAG_REF: return skip_identifier(r, 5, out);
	case TAG_NEW_REF: return skip_reference(r, 1, out);
	case TAG_NEWER_REF: return skip_reference(r, 4, out);
	default: return false;
	}
}

bool etf_read(struct arena *arena, const uint8_t *bytes, size_t len, struct etf_term *out,
	      struct err *err)
{
	struct reader r = {.arena = arena, .in = cursor_over(bytes, len), .budget = len};

	if (cursor_u8(&r.in) != ETF_VERSION)
		return err_set(err, "no external term: version byte is missing");
	if (!read_term(&r, out))
		return err_set(err, "broken external term near byte %zu of %zu",
			       (size_t)(r.in.at - bytes), len);
	return true;
}

bool etf_is_atom(const struct etf_term *term, const char *text)
{
	return term->kind == ETF_ATOM && term->len == strlen(text) &&
	       memcmp(term->bytes, text, term->len) == 0;
}

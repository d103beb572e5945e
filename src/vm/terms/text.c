#include "vm/terms/text.h"

#include "base/vec.h"

void bytes_add(struct bytes *out, const void *from, size_t len)
{
	if (out->len + len > out->cap)
		out->items = vec_grow(out->items, &out->cap, out->len + len, 1);
	if (len)
		memcpy(out->items + out->len, from, len);
	out->len += len;
}

void bytes_add_byte(struct bytes *out, uint8_t byte)
{
	bytes_add(out, &byte, 1);
}

void bytes_release(struct bytes *out)
{
	mem_free(out->items);
	*out = (struct bytes){0};
}

size_t utf8_encode(uint32_t c, uint8_t *out)
{
	if (c < 0x80) {
		out[0] = (uint8_t)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (uint8_t)(0xc0 | c >> 6);
		out[1] = (uint8_t)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (uint8_t)(0xe0 | c >> 12);
		out[1] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
		out[2] = (uint8_t)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (uint8_t)(0xf0 | c >> 18);
	out[1] = (uint8_t)(0x80 | (c >> 12 & 0x3f));
	out[2] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
	out[3] = (uint8_t)(0x80 | (c & 0x3f));
	return 4;
}

size_t utf8_decode(const uint8_t *bytes, size_t len, uint32_t *c)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t n = !len ? 0 : bytes[0] < 0x80 ? 1 : bytes[0] < 0xc2 ? 0 : bytes[0] < 0xe0 ? 2
		   : bytes[0] < 0xf0 ? 3 : bytes[0] < 0xf5 ? 4 : 0;

	if (!n || n > len)
		return 0;
	*c = n == 1 ? bytes[0] : bytes[0] & (0xffu >> (n + 1));
	for (size_t i = 1; i < n; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (bytes[i] & 0x3f);
	}
	return *c >= least[n] && char_is_valid(*c) ? n : 0;
}

static bool add_binary(struct bytes *out, term t)
{
	struct bits b = bits_of(t);
	uint8_t *start;

	if (b.size % 8)
		return false;
	bytes_add(out, NULL, 0);
	if (out->len + b.size / 8 > out->cap)
		out->items = vec_grow(out->items, &out->cap, out->len + b.size / 8, 1);
	start = out->items + out->len;
	if (b.size)
		bits_copy(start, 0, b.bytes, b.offset, b.size);
	out->len += b.size / 8;
	return true;
}

static bool add_char(struct bytes *out, term t)
{
	uint8_t encoded[4];

	if (!term_is_small(t) || !char_is_valid(small_value(t)))
		return false;
	bytes_add(out, encoded, utf8_encode((uint32_t)small_value(t), encoded));
	return true;
}

static bool add_byte(struct bytes *out, term t)
{
	if (!term_is_small(t) || small_value(t) < 0 || small_value(t) > 255)
		return false;
	bytes_add_byte(out, (uint8_t)small_value(t));
	return true;
}

/* Walks a deep list with a stack of tails. Tails may be binaries. */
static bool flatten(term t, struct bytes *out, bool (*add_integer)(struct bytes *out, term t))
{
	VEC(term) tails = {0};
	bool ok = true;

	for (;;) {
		if (term_is_cons(t)) {
			term head = cons_head(t);

			if (term_is_small(head)) {
				ok = add_integer(out, head);
				t = cons_tail(t);
			} else {
				*vec_push(&tails) = cons_tail(t);
				t = head;
				ok = term_is_list(head) || term_is_bitstring(head);
			}
			if (ok)
				continue;
		} else if (t != NIL) {
			ok = term_is_bitstring(t) && add_binary(out, t);
		}
		if (!ok || !tails.len)
			break;
		t = vec_pop(&tails);
	}
	vec_release(&tails);
	return ok;
}

bool text_flatten_utf8(term t, struct bytes *out)
{
	return flatten(t, out, add_char);
}

bool iolist_flatten(term t, struct bytes *out)
{
	return flatten(t, out, add_byte);
}

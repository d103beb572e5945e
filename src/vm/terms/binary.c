#include "vm/terms/binary.h"

#include "base/bug.h"
#include "vm/memory/region.h"

static size_t refc_bytes(size_t cap)
{
	return sizeof(struct refc_binary) + cap;
}

struct refc_binary *refc_binary_new(size_t cap)
{
	struct refc_binary *binary = region_alloc(refc_bytes(cap));

	binary->refs = 1;
	binary->cap = cap;
	binary->used = 0;
	binary->used_bits = SIZE_MAX;
	return binary;
}

void refc_binary_unref(struct refc_binary *binary)
{
	BUG_ON(!binary->refs, "binary freed twice");
	if (--binary->refs == 0)
		region_free(binary, refc_bytes(binary->cap));
}

term refcbin_build(term **hp, struct refc_binary *binary, size_t len, struct off_heap *off_heap)
{
	term *box = *hp;

	box[0] = header_make(KIND_REFCBIN, 3);
	box[1] = len;
	box[2] = (term)binary;
	box[3] = (term)off_heap->first;
	off_heap->first = box;
	*hp = box + REFCBIN_WORDS;
	return boxed_make(box);
}

/* The bytes of a HEAPBIN or REFCBIN. */
static const uint8_t *whole_bytes(const term *box, size_t *len)
{
	*len = box[1];
	if (header_kind(box[0]) == KIND_HEAPBIN)
		return (const uint8_t *)(box + 2);
	return ((const struct refc_binary *)box[2])->bytes;
}

struct bits bits_of(term t)
{
	const term *box = boxed_ptr(t);
	struct bits b = {0};
	size_t len;

	switch (header_kind(box[0])) {
	case KIND_SUBBIN:
		b.bytes = whole_bytes(boxed_ptr(box[1]), &len);
		b.size = box[2];
		b.offset = box[3];
		return b;
	case KIND_MATCHCTX:
		b.bytes = whole_bytes(boxed_ptr(box[1]), &len);
		b.offset = box[2];
		b.size = box[3] - box[2];
		return b;
	default:
		b.bytes = whole_bytes(box, &len);
		b.size = len * 8;
		return b;
	}
}

size_t bitstring_size(term t)
{
	const term *box = boxed_ptr(t);

	return header_kind(box[0]) == KIND_SUBBIN ? box[2] : box[1] * 8;
}

bool term_is_binary(term t)
{
	return term_is_bitstring(t) && bitstring_size(t) % 8 == 0;
}

uint64_t bits_get(const uint8_t *bytes, size_t pos, unsigned n)
{
	uint64_t value = 0;
	size_t byte = pos / 8;
	unsigned have = 8 - pos % 8;

	if (!n)
		return 0;
	value = bytes[byte] & (0xffu >> (pos % 8));
	if (n <= have)
		return value >> (have - n);
	n -= have;
	while (n >= 8) {
		value = value << 8 | bytes[++byte];
		n -= 8;
	}
	return n ? value << n | bytes[byte + 1] >> (8 - n) : value;
}

static void put_bits(uint8_t *bytes, size_t pos, unsigned n, unsigned value)
{
	/* n <= 8 bits, maybe over a byte boundary */
	unsigned first = 8 - pos % 8;

	if (n <= first) {
		unsigned mask = ((1u << n) - 1) << (first - n);

		bytes[pos / 8] = (uint8_t)((bytes[pos / 8] & ~mask) |
					   ((value << (first - n)) & mask));
		return;
	}
	put_bits(bytes, pos, first, value >> (n - first));
	put_bits(bytes, pos + first, n - first, value & ((1u << (n - first)) - 1));
}

void bits_copy(uint8_t *dst, size_t dst_pos, const uint8_t *src, size_t src_pos, size_t n)
{
	if ((dst_pos | src_pos) % 8 == 0) {
		memcpy(dst + dst_pos / 8, src + src_pos / 8, n / 8);
		dst_pos += n & ~(size_t)7;
		src_pos += n & ~(size_t)7;
		n %= 8;
	} else if (dst_pos % 8 == 0) {
		uint8_t *out = dst + dst_pos / 8;

		for (; n >= 8; n -= 8, src_pos += 8, dst_pos += 8)
			*out++ = (uint8_t)bits_get(src, src_pos, 8);
	}
	for (; n >= 8; n -= 8, src_pos += 8, dst_pos += 8)
		put_bits(dst, dst_pos, 8, (unsigned)bits_get(src, src_pos, 8));
	if (n)
		put_bits(dst, dst_pos, (unsigned)n, (unsigned)bits_get(src, src_pos, (unsigned)n));
}

int bits_compare(struct bits a, struct bits b)
{
	size_t n = a.size < b.size ? a.size : b.size, pos = 0;

	if ((a.offset | b.offset) % 8 == 0) {
		int order = memcmp(bits_start(a), bits_start(b), n / 8);

		if (order)
			return order;
		pos = n & ~(size_t)7;
	}
	while (pos < n) {
		unsigned step = n - pos < 32 ? (unsigned)(n - pos) : 32;
		uint64_t left = bits_get(a.bytes, a.offset + pos, step);
		uint64_t right = bits_get(b.bytes, b.offset + pos, step);

		if (left != right)
			return left < right ? -1 : 1;
		pos += step;
	}
	return (a.size > b.size) - (a.size < b.size);
}

term binary_new(struct process *p, size_t len, uint8_t **bytes)
{
	struct refc_binary *binary;
	term *box;

	if (len <= HEAPBIN_MAX) {
		size_t words = heapbin_words(len);

		box = heap_alloc(p, words);
		box[0] = header_make(KIND_HEAPBIN, words - 1);
		box[1] = len;
		if (words > 2)
			box[words - 1] = 0;
		*bytes = (uint8_t *)(box + 2);
		return boxed_make(box);
	}
	binary = refc_binary_new(len);
	binary->used = len;
	*bytes = binary->bytes;
	box = heap_alloc(p, REFCBIN_WORDS);
	return refcbin_build(&box, binary, len, &p->off_heap);
}

term binary_from(struct process *p, const void *from, size_t len)
{
	uint8_t *bytes;
	term t = binary_new(p, len, &bytes);

	if (len)
		memcpy(bytes, from, len);
	return t;
}

static term build_part(struct process *p, term whole, size_t offset, size_t size)
{
	term *box = heap_alloc(p, SUBBIN_WORDS);

	box[0] = header_make(KIND_SUBBIN, SUBBIN_WORDS - 1);
	box[1] = whole;
	box[2] = size;
	box[3] = offset;
	box[4] = 0;
	return boxed_make(box);
}

term bitstring_new(struct process *p, size_t bits, uint8_t **bytes)
{
	term whole = binary_new(p, (bits + 7) / 8, bytes);

	if (bits % 8 == 0)
		return whole;
	(*bytes)[bits / 8] = 0;
	return build_part(p, whole, 0, bits);
}

term bitstring_part(struct process *p, term t, size_t offset, size_t size)
{
	const term *box = boxed_ptr(t);
	struct bits b = bits_of(t);
	enum term_kind kind = header_kind(box[0]);
	term whole = kind == KIND_SUBBIN || kind == KIND_MATCHCTX ? box[1] : t;

	/* A copy of a small byte-aligned part is cheaper, and does not keep a large block alive. */
	if (size <= 64 && size % 8 == 0 && (b.offset + offset) % 8 == 0)
		return binary_from(p, b.bytes + (b.offset + offset) / 8, size / 8);
	if (size == b.size && offset == 0 && kind != KIND_MATCHCTX)
		return t;
	return build_part(p, whole, b.offset + offset, size);
}

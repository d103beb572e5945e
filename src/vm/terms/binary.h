/* binary.h: representation of bit strings; reading and building them.
 *
 * A bit string is a HEAPBIN (bytes on the heap), a REFCBIN (bytes in a shared, counted block in
 * the region) or a SUBBIN (a window of bits into one of these). Other files need not know which:
 * bits_of gives (bytes, bit offset, bit size) for all three. The pointer to the bytes is valid
 * until the next collection, so a BIF may use it until it returns.
 *
 * Appending: the block of a REFCBIN may be larger than its used part. A SUBBIN with `writable` set
 * ends where the used part ends, so its owner may append in place (bs_build.c). All other bit
 * strings in that block end at or before that point, so they do not change.
 */
#ifndef VM_TERMS_BINARY_H
#define VM_TERMS_BINARY_H

#include "vm/memory/heap.h"

#define HEAPBIN_MAX 64u /* bytes; larger ones are REFCBIN on process heaps */
#define SUBBIN_WORDS 5u
#define REFCBIN_WORDS 4u
#define MATCHCTX_WORDS 4u

struct refc_binary {
	uint64_t refs;
	size_t cap;  /* bytes allocated after this struct */
	size_t used; /* bytes given out */
	size_t used_bits; /* the same in bits, for blocks that may be appended to */
	uint8_t bytes[];
};

struct bits {
	const uint8_t *bytes;
	size_t offset; /* bits */
	size_t size;   /* bits */
};

/* t must be a bit string. */
struct bits bits_of(term t);

static inline bool bits_are_bytes(struct bits b) { return (b.offset | b.size) % 8 == 0; }
static inline const uint8_t *bits_start(struct bits b) { return b.bytes + b.offset / 8; }

size_t bitstring_size(term t); /* bits */
bool term_is_binary(term t);   /* a bit string of whole bytes */

/* n <= 64 bits at bit position pos of b.bytes, big endian, unsigned. */
uint64_t bits_get(const uint8_t *bytes, size_t pos, unsigned n);
/* Copies n bits; the ranges must not overlap. */
void bits_copy(uint8_t *dst, size_t dst_pos, const uint8_t *src, size_t src_pos, size_t n);
int bits_compare(struct bits a, struct bits b);

/* A new binary of len bytes on p's heap (HEAPBIN or REFCBIN). *bytes is where to write; bytes
 * may be NULL when `from` gives the contents. */
term binary_new(struct process *p, size_t len, uint8_t **bytes);
term binary_from(struct process *p, const void *from, size_t len);
/* A new bit string of so many bits; unused bits of the last byte must be written as 0. */
term bitstring_new(struct process *p, size_t bits, uint8_t **bytes);
/* The part [offset, offset+size) (in bits) of bit string t, sharing its bytes. */
term bitstring_part(struct process *p, term t, size_t offset, size_t size);

/* Words that a HEAPBIN of len bytes takes. */
static inline size_t heapbin_words(size_t len) { return 2 + (len + 7) / 8; }

struct refc_binary *refc_binary_new(size_t cap);
void refc_binary_unref(struct refc_binary *binary);
/* A REFCBIN object at *hp for (one reference of) binary. */
term refcbin_build(term **hp, struct refc_binary *binary, size_t len, struct off_heap *off_heap);

/* ---- writing: a growing buffer of bytes, for BIFs that do not know the size ---- */
struct bytes {
	uint8_t *items;
	size_t len;
	size_t cap;
};

/* Flattens an iolist or binary into bytes. False when t is neither. */
bool iolist_flatten(term t, struct bytes *out);

#endif

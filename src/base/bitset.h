/* bitset.h: sets of small numbers as arrays of 64-bit words. The caller owns the
 * words and knows how many there are; nothing here allocates. */
#ifndef BASE_BITSET_H
#define BASE_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BITSET_WORD = 64 }; /* bits of a word */

#define BITSET_WORDS(bits) (((size_t)(bits) + 63) / 64)

static inline bool bitset_has(const uint64_t *set, size_t i)
{
	return set[i / 64] >> (i % 64) & 1;
}

static inline void bitset_add(uint64_t *set, size_t i)
{
	set[i / 64] |= (uint64_t)1 << (i % 64);
}

static inline void bitset_remove(uint64_t *set, size_t i)
{
	set[i / 64] &= ~((uint64_t)1 << (i % 64));
}

static inline void bitset_put(uint64_t *set, size_t i, bool is_member)
{
	uint64_t others = set[i / 64] & ~((uint64_t)1 << (i % 64));

	set[i / 64] = others | (uint64_t)is_member << (i % 64);
}

static inline bool bitset_is_empty(const uint64_t *set, size_t words)
{
	for (size_t w = 0; w < words; w++)
		if (set[w])
			return false;
	return true;
}

/* Removes all members >= len. */
static inline void bitset_cut(uint64_t *set, size_t words, size_t len)
{
	for (size_t w = len / 64; w < words; w++)
		set[w] &= w == len / 64 ? ~(~(uint64_t)0 << (len % 64)) : 0;
}

/* Have the two sets a member in common? */
static inline bool bitset_meet(const uint64_t *a, const uint64_t *b, size_t words)
{
	for (size_t w = 0; w < words; w++)
		if (a[w] & b[w])
			return true;
	return false;
}

static inline size_t bitset_count(const uint64_t *set, size_t words)
{
	size_t count = 0;

	for (size_t w = 0; w < words; w++)
		count += (size_t)__builtin_popcountll(set[w]);
	return count;
}

/* The smallest member >= from, or SIZE_MAX when no member is left. */
static inline size_t bitset_next(const uint64_t *set, size_t words, size_t from)
{
	for (size_t w = from / 64; w < words; w++) {
		uint64_t bits = set[w];

		if (w == from / 64)
			bits &= ~(uint64_t)0 << (from % 64);
		if (bits)
			return w * 64 + (size_t)__builtin_ctzll(bits);
	}
	return SIZE_MAX;
}

#define bitset_foreach(i, set, words)                                          \
	for (size_t i = bitset_next((set), (words), 0); i != SIZE_MAX;         \
	     i = bitset_next((set), (words), i + 1))

#endif

/* etf.h: the external term format: literals of .beam files, term_to_binary, binary_to_term.
 *
 * Decoding is in two passes: etf_measure goes over untrusted bytes once, checks everything and
 * computes how many words the term takes; etf_build then fails only where a map repeats a key.
 */
#ifndef VM_TERMS_ETF_H
#define VM_TERMS_ETF_H

#include "vm/memory/heap.h"

struct etf_size {
	size_t words; /* heap words */
	size_t bytes; /* of input used */
};

/* Bytes without the leading 131. safe: atoms must exist already. False when malformed. */
bool etf_measure(const uint8_t *bytes, size_t len, bool safe, struct etf_size *size);

/* The same for etf_build with is_literal. */
bool etf_measure_literal(const uint8_t *bytes, size_t len, struct etf_size *size);

/* is_literal: binaries of any size become HEAPBIN (no shared blocks outside the region).
 * TERM_NONE when a map has the same key twice, which etf_measure does not check. */
term etf_build(const uint8_t *bytes, size_t len, term **hp, struct off_heap *off_heap,
	       bool is_literal);

#endif

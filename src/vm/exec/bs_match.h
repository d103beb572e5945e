/* bs_match.h: matching bit strings. All functions work on a match context (MATCHCTX), which holds
 * the binary, the current offset and the end in bits. The getters return TERM_NONE when there are
 * not enough bits or the bits are not such a value; otherwise they move the offset forward. */
#ifndef VM_EXEC_BS_MATCH_H
#define VM_EXEC_BS_MATCH_H

#include "vm/terms/binary.h"

enum bs_flags { BS_LITTLE = 2, BS_SIGNED = 4, BS_NATIVE = 16 };

static inline size_t ctx_offset(term ctx) { return boxed_ptr(ctx)[2]; }
static inline size_t ctx_left(term ctx) { return boxed_ptr(ctx)[3] - boxed_ptr(ctx)[2]; }
static inline void ctx_skip(term ctx, size_t bits) { boxed_ptr(ctx)[2] += bits; }
const uint8_t *ctx_bytes(term ctx);

/* A context for a bit string at *hp (MATCHCTX_WORDS). */
term ctx_build(term **hp, term bitstring);

term bs_get_integer(struct process *p, term ctx, size_t bits, unsigned flags);
term bs_get_float(struct process *p, term ctx, size_t bits, unsigned flags);
term bs_get_binary(struct process *p, term ctx, size_t bits);
term bs_get_utf8(term ctx);
term bs_get_utf16(term ctx, unsigned flags);
term bs_get_utf32(term ctx, unsigned flags);

/* size * unit in bits; false when size is not an integer >= 0 or is too large. */
bool bs_size(term size, size_t unit, size_t *bits);

#endif

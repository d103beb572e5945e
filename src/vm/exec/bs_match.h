/* bs_match.h: taking bit strings apart. All work on a match context (MATCHCTX): binary, current
 * offset and end in bits. The getters return TERM_NONE when the bits are not there or do not
 * fit, else move the offset on. */
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

/* size * unit in bits; false when size is no number >= 0 or too large. */
bool bs_size(term size, size_t unit, size_t *bits);

#endif

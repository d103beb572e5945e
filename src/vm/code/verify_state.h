/* verify_state.h: the facts known at one place of a function while it is verified (verify.h).
 *
 * States are small and many, so their length is chosen per function: `width` words for each of the
 * four sets (x set, x that may be match contexts, the same for y), then one word per handler that
 * may be open. Where two paths meet, the facts that hold on both are kept
 * (verify_merge).
 */
#ifndef VM_CODE_VERIFY_STATE_H
#define VM_CODE_VERIFY_STATE_H

#include "base/err.h"
#include "beamfile/beamfile.h"
#include "vm/code/verify.h"

enum {
	VERIFY_NO_FRAME = -1,
	VERIFY_MAX_HEAP = 1 << 24, /* words */
	VERIFY_MAX_LIVE = 1020,
	VERIFY_MAX_ROUNDS = 100,
	VERIFY_PARAM_WORDS = 4, /* a bit for each of 255 parameters */
};

enum verify_set { X_SET, X_CONTEXT, Y_SET, Y_CONTEXT, SETS_LEN };

struct verify_state {
	int32_t frame; /* y registers, or VERIFY_NO_FRAME */
	uint32_t heap; /* words that may still be built */
	uint16_t handlers_len;
	bool is_reached;
	bool is_mixed;   /* paths with different frames or handlers met: `frame` is the smallest */
	bool is_filling; /* a bit string has been begun and not moved */
	uint64_t words[]; /* SETS_LEN * width, then the handlers by slot */
};

/* One function being verified. */
struct verify {
	const struct beamfile *bf;
	uint32_t function;
	size_t width;        /* words per set */
	size_t state_bytes;
	uint32_t scratch;    /* x registers from VERIFY_SCRATCH on are counted from here */
	uint32_t max_handlers;
	struct verify_state *now;  /* before, then after the current instruction */
	struct verify_state *spare;
	uint8_t *states;     /* one per label of the function */
	uint32_t *label_slots; /* label -> index into states */
	uint64_t *contexts;  /* per function: parameters that may be match contexts */
	bool *is_dirty;      /* per function: to be verified (again) */
	struct verify_facts *facts;
	bool may_preset;     /* else must_preset stays as it is: the first attempt */
	size_t at;           /* the current instruction */
	bool goes_round;     /* the state of a label that was passed already has changed */
	struct err *err;
	uint64_t letters[OPCODE_MAX + 1]; /* of each signature, as bits; 0: not computed yet */
};

/* The compiler uses the highest x registers as scratch. */
enum { VERIFY_SCRATCH = 1000 };

static inline uint64_t *verify_set(const struct verify *v, struct verify_state *s,
				   enum verify_set set)
{
	return s->words + set * v->width;
}

/* Handlers: slot << 40 | is a try << 32 | label. */
static inline uint64_t *verify_handlers(const struct verify *v, struct verify_state *s)
{
	return s->words + SETS_LEN * v->width;
}

static inline uint32_t handler_slot(uint64_t handler) { return (uint32_t)(handler >> 40); }
static inline uint32_t handler_label(uint64_t handler) { return (uint32_t)handler; }
static inline bool handler_is_try(uint64_t handler) { return handler >> 32 & 1; }

static inline bool bit_is_set(const uint64_t *set, size_t i) { return set[i / 64] >> (i % 64) & 1; }

static inline void bit_put(uint64_t *set, size_t i, bool value)
{
	set[i / 64] = (set[i / 64] & ~((uint64_t)1 << i % 64)) | (uint64_t)value << i % 64;
}

/* Fills the error; always false. */
#define verify_fail(v, ...) err_set((v)->err, __VA_ARGS__)

/* The rules of one instruction (verify_rules.c): turns the state before it into the state after it.
 * *goes_on is false when control does not reach the next instruction from here. */
bool verify_instr(struct verify *v, const struct beam_instr *in, bool *goes_on);

/* The paths (verify.c): merges the current state into that of the label; of the innermost
 * handler. */
bool verify_branch(struct verify *v, int64_t label);
bool verify_handler(struct verify *v);

/* Registers (verify.c). verify_use_any allows match contexts. */
bool verify_use(struct verify *v, const struct beam_operand *o);
bool verify_use_any(struct verify *v, const struct beam_operand *o);
bool verify_define(struct verify *v, const struct beam_operand *o, bool is_context);
bool verify_is_context(struct verify *v, const struct beam_operand *o);
/* Whether the register is set; a slot that cannot be used counts as set. */
bool verify_is_set(struct verify *v, const struct beam_operand *o);
/* x0 to x[n-1] are set; none of them a match context unless allowed. */
bool verify_args(struct verify *v, int64_t n, bool contexts_allowed);
/* Only x0 to x[n-1] stay. */
void verify_keep(struct verify *v, int64_t n);
/* The first slot of the frame that is not set, or -1. */
int32_t verify_find_unset(struct verify *v);
/* Every slot of the frame is set. */
bool verify_frame_is_set(struct verify *v);

/* ---- parts of rules (verify_parts.c) ---- */

const char *verify_atom(const struct verify *v, uint32_t index);
/* A possible collection: x0 to x[live-1] survive, and `heap` words are reserved from here on. */
bool verify_collects(struct verify *v, int64_t live, uint64_t heap);
uint64_t verify_heap_need(const struct beam_operand *o);
bool verify_use_x(struct verify *v, int64_t number);
bool verify_define_x0(struct verify *v);
/* All sources are used, all labels branched to, all destinations set, as the signature says. */
bool verify_uses(struct verify *v, const struct beam_instr *in);
bool verify_branches(struct verify *v, const struct beam_instr *in);
bool verify_defines(struct verify *v, const struct beam_instr *in);
/* The slots of the frame that the signature names are set. */
bool verify_defines_slots(struct verify *v, const struct beam_instr *in);
/* verify_signature: uses, branches, defines. verify_collecting: the same with a collection before
 * the definitions; the operand `live` is the number of live registers. */
bool verify_signature(struct verify *v, const struct beam_instr *in);
bool verify_collecting(struct verify *v, const struct beam_instr *in, unsigned live, uint64_t heap);
/* The first operand must be a label. */
bool verify_is_tested(struct verify *v, const struct beam_instr *in);
bool verify_needs_label(struct verify *v, const struct beam_operand *o);

/* The rules of instructions on bit strings (verify_bits.c). */
bool verify_bits(struct verify *v, const struct beam_instr *in);

#endif

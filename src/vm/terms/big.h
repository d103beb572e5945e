/* big.h: integers of any size, on GMP's mpn functions over limbs in term words.
 *
 * A struct integer is a view of a term (or a scratch number) as sign and limbs; small integers
 * are viewed too, so that every operation has one form. Results are built on a process heap by
 * integer_build, which strips leading zeros and makes a small integer when it fits. Scratch limbs
 * come from buffers of the machine that only grow, so nothing has to be released after use.
 */
#ifndef VM_TERMS_BIG_H
#define VM_TERMS_BIG_H

#include "vm/memory/heap.h"

/* The limit of the real VM is about 4 million bits; a larger result raises system_limit. */
/* Limbs of the largest integer: OTP 27 allows fewer. */
#define BIG_MAX_LIMBS (code_otp_release() < 27 ? (size_t)524287 : (size_t)65535)
unsigned code_otp_release(void);

struct integer {
	const uint64_t *limbs;
	size_t len; /* no leading zeros; 0 is zero */
	bool negative;
	uint64_t own; /* limb of a small */
};

/* The part of a machine (machine.h) that belongs to big integers: limbs of intermediate results.
 * Slots 0 and 1 hold quotient and remainder together. */
struct big_scratch {
	struct {
		uint64_t *limbs;
		size_t cap;
	} slots[4];
};
void big_scratch_release(void);

/* Fills view (which must not move afterwards) from an integer term. */
void integer_view(struct integer *view, term t);

/* A term of this value on p's heap. Copies the limbs, which may have leading zeros. */
term integer_build(struct process *p, const uint64_t *limbs, size_t len, bool negative);

/* -1, 0, 1. */
int integer_compare(term a, term b);
int integer_compare_float(term a, double b);

/* Arithmetic on integer terms; TERM_NONE when the result is beyond BIG_MAX_LIMBS. */
term integer_add(struct process *p, term a, term b);
term integer_sub(struct process *p, term a, term b);
term integer_mul(struct process *p, term a, term b);
/* b must not be zero. Truncating, remainder has the sign of a. */
term integer_div(struct process *p, term a, term b);
term integer_rem(struct process *p, term a, term b);
enum integer_bit_op { INTEGER_AND, INTEGER_OR, INTEGER_XOR };
term integer_bits(struct process *p, term a, term b, enum integer_bit_op op);
/* Left for shift > 0, right (towards minus infinity) for shift < 0. */
term integer_shift(struct process *p, term a, int64_t shift);

/* The nearest double; false when it does not fit. */
bool integer_to_double(term t, double *value);
/* value must be finite; truncates. */
term integer_from_double(struct process *p, double value);

/* Digits in base 2..36, upper case; returns a mem_alloc'ed NUL-terminated text. */
char *integer_to_text(term t, unsigned base);
/* Reads an optional sign and digits; TERM_NONE when the text is anything else. */
term integer_from_text(struct process *p, const char *text, size_t len, unsigned base);

/* Two's complement bytes: the value of n bytes, and the low n bytes of a value. */
term integer_from_bytes(struct process *p, const uint8_t *bytes, size_t n, bool is_little,
			bool is_signed);
void integer_to_bytes(term t, uint8_t *bytes, size_t n, bool is_little);

/* The value as int64/uint64; false when it does not fit. */
bool integer_get_int64(term t, int64_t *value);
bool integer_get_uint64(term t, uint64_t *value);

#endif

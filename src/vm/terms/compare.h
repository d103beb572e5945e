/* compare.h: the order of terms and the two equalities. They allocate nothing on any
 * process heap, never fail, and take any depth.
 *
 * number < atom < reference < fun < port < pid < tuple < map < nil < list < bitstring.
 * Integers and floats compare by exact mathematical value.
 */
#ifndef VM_TERMS_COMPARE_H
#define VM_TERMS_COMPARE_H

#include "vm/terms/term.h"

/* ==, with 1 == 1.0: <0, 0 or >0. */
int term_compare(term a, term b);
/* The order in which 1 and 1.0 differ (integers first), as map keys use it. */
int term_compare_exact(term a, term b);

bool term_equal_slow(term a, term b);

/* =:= */
static inline bool term_equal(term a, term b)
{
	if (a == b)
		return true;
	if (term_is_immediate(a) || term_is_immediate(b))
		return false;
	return term_equal_slow(a, b);
}

static inline bool terms_compare_equal(term a, term b)
{
	return a == b || term_compare(a, b) == 0;
}

/* Whether 0.0 =:= -0.0, which changed with OTP 27. Set when the OTP release is known. */
extern bool compare_zeros_differ;

/* Internal hash for maps and tables: equal (=:=) terms hash alike, atoms by their text, the
 * same in every run. Not phash2. */
uint64_t term_hash(term t);

#endif

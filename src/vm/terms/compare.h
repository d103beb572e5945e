/* compare.h: the order of terms and the two equalities. The functions allocate nothing on process
 * heaps, never fail, and accept terms of any depth.
 *
 * number < atom < reference < fun < port < pid < tuple < map < nil < list < bitstring.
 * Integers and floats compare by exact mathematical value.
 */
#ifndef VM_TERMS_COMPARE_H
#define VM_TERMS_COMPARE_H

#include "vm/terms/term.h"

/* ==, with 1 == 1.0: <0, 0 or >0. */
int term_compare(term a, term b);
/* The same where the program sees which of the two is less. That two pids or references of different
 * creators differ is a fact; which one is less depends on the schedule on the real machine, and not
 * here: the verdict names it (RELIED_ON_ORDER). */
int term_order(term a, term b);
/* Is there a pid, port or reference in the term, not deeper than in sixteen tuples and lists? The real
 * machine gives it another number in another schedule, and hashes it by that. */
bool term_has_number(term t);
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

struct term_pair {
	term a;
	term b;
};

VEC_TYPE(term_pairs, struct term_pair);

/* The part of a machine (machine.h) that belongs to comparing. Calls nest (sorting the keys of a
 * map compares them), so each call uses the stacks above the length that it found. */
struct compare_state {
	bool has_mixed;           /* two pids or references of different creators were compared */
	bool zeros_differ;        /* whether 0.0 =/= -0.0: true since OTP 27 */
	struct term_pairs todo;   /* pairs still to compare, deepest first */
	struct term_vec to_hash;  /* terms that term_hash has still to visit */
};

/* Call when the OTP release is known. */
void compare_set_zeros_differ(bool zeros_differ);
void compare_release(void);

/* Internal hash for maps and tables, not phash2. Equal (=:=) terms have equal hashes; an atom is
 * hashed by its text, so that hashes are the same in every run. */
uint64_t term_hash(term t);

#endif

/* state.h: the registers of the abstract machine at one point of a function.
 *
 * Besides registers a state has three things: the reads that have happened on some path to here
 * (a bit per read event of the function); the values that are known to equal a constant, or each
 * other, on every path (facts and equals, from pattern matching and tests); and the exception
 * handlers that are open. A test that came out as false leaves a value that is not a constant
 * (nots): the last clause of `case T of n -> …; a -> …; _ -> …` is not reached with n. States
 * meet at labels: registers that differ become a phi, and so do the constants of facts about one
 * value; facts of one side only are dropped, reads add up.
 */
#ifndef STATIC_STATE_H
#define STATIC_STATE_H

#include "base/bitset.h"
#include "static/summary.h"
#include "static/value.h"

enum {
	STATE_MAX_REGISTERS = 64, /* higher numbers are not tracked */
	STATE_MAX_FACTS = 10,
	STATE_MAX_EQUALS = 6,
	STATE_MAX_NOTS = 12,
	STATE_MAX_HANDLERS = 6,
	STATE_MAX_READS = 256, /* read events per function */
	STATE_FACT_REGISTER = 1 << 30, /* plus the value: a meeting point of facts about it */
};

struct state {
	uint32_t x[STATE_MAX_REGISTERS]; /* values */
	uint32_t y[STATE_MAX_REGISTERS];
	struct fact facts[STATE_MAX_FACTS];
	struct fact equals[STATE_MAX_EQUALS]; /* two values, neither of them a constant */
	struct fact nots[STATE_MAX_NOTS]; /* a value, and a constant that it is not */
	uint32_t handlers[STATE_MAX_HANDLERS]; /* labels, innermost last */
	uint8_t facts_len;
	uint8_t equals_len;
	uint8_t nots_len;
	uint8_t handlers_len;
	uint64_t reads[BITSET_WORDS(STATE_MAX_READS)];
};

void state_start(struct state *s, struct values *vs, uint32_t arity);

/* After a call no x register is known. */
void state_clobber(struct state *s);

void state_trim(struct state *s, uint32_t n);

/* Joins other into *s at a meeting point; returns whether *s changed. */
bool state_join(struct state *s, struct values *vs, const struct state *other, uint32_t site);

/* The constant that v is known to equal, a phi of constants, or v itself. */
uint32_t state_known(const struct state *s, const struct values *vs, uint32_t v);

/* Notes v =/= constant, if there is room. */
void state_exclude(struct state *s, const struct values *vs, uint32_t v, uint32_t constant);

/* Is v known not to be the constant, or not to be any alternative of a phi of constants? */
bool state_excludes(const struct state *s, const struct values *vs, uint32_t v, uint32_t constant);

/* Notes v =:= constant. Returns false when that is impossible. A comparison that came out as
 * true or false makes its two sides equal, too. */
bool state_assume(struct state *s, const struct values *vs, uint32_t v, uint32_t constant,
		  uint32_t truth);

/* Notes a =:= b, and so for the parts of tuples and lists that are spelled out. */
bool state_assume_equal(struct state *s, const struct values *vs, uint32_t a, uint32_t b,
			uint32_t truth);

#endif

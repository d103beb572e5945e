/* register.h: the smallest model: one number that calls add to, take from or read.
 *
 * add(n) and take(n) return the new number; take(n) must not make it negative; get() returns
 * it. It has no target: running tests is not under test here. Handles: a call is its kind
 * and argument, a state and a value are the number itself, each plus an offset.
 */
#ifndef TESTS_UNIT_PROP_REGISTER_H
#define TESTS_UNIT_PROP_REGISTER_H

#include "prop/prop.h"

enum register_kind { REGISTER_ADD, REGISTER_TAKE, REGISTER_GET };

enum { REGISTER_ZERO = 1000 }; /* the handle of the number 0, as a state and as a value */

struct register_model {
	struct model base;
	bool is_broken;    /* every step fails */
	bool allows_nothing;
	uint64_t steps;    /* asked so far */
};

struct register_model register_model(void);
uint32_t register_call(enum register_kind kind, uint32_t n);

/* Appends a call to a test; branches in ascending order. */
void register_add(struct prop_test *test, uint32_t branch, enum register_kind kind, uint32_t n);

#endif

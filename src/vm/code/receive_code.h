/* receive_code.h: the receives in the code of a .beam file, with the facts that distinguish them.
 *
 * The compiler does not keep the order of the source: the clauses of a function come in the order of
 * their sorted arguments, and a receive in the body of another one lies inside its code. So a receive of
 * the code is compared with those of the source (receive_source.h) by the values that its matching code
 * looks for, and by the lines of the calls before and after it.
 */
#ifndef VM_CODE_RECEIVE_CODE_H
#define VM_CODE_RECEIVE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

VEC_TYPE(literal_vec, uint64_t); /* a set: atoms, integers and sizes of tuples, as hashes */

uint64_t literal_of_atom(const char *text, size_t len);
uint64_t literal_of_integer(int64_t value);
uint64_t literal_of_size(uint64_t size);
void literals_add(struct literal_vec *set, uint64_t literal);
/* How many members only one of the two sets has. */
uint32_t literals_differ(const struct literal_vec *a, const struct literal_vec *b);

struct receive_code {
	char *function; /* pat/0, -pat/0-fun-1-; owned */
	uint32_t index; /* among the receives and timed waits of that function, as in the code */
	bool is_timed;  /* the wait of a receive with a timeout, which is an instruction of its own */
	uint32_t line_before, line_after; /* of the nearest calls; 0: not known */
	struct literal_vec literals;
};

VEC_TYPE(receive_code_vec, struct receive_code);

/* Adds the receives of a .beam file; none if it cannot be read. */
void receive_codes_read(struct receive_code_vec *codes, const void *bytes, size_t len);
void receive_codes_release(struct receive_code_vec *codes);

#endif

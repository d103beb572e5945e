/* bs_build.h: putting bit strings together.
 *
 * bs_create (OTP 25 on) takes a whole row of segments at once: first the size of all is known
 * and every value checked, then they are written. Appending to a binary that nobody else has
 * appended to grows it in place. The older instructions (bs_init2, bs_put_*) fill a binary begun
 * before.
 */
#ifndef VM_EXEC_BS_BUILD_H
#define VM_EXEC_BS_BUILD_H

#include "vm/exec/bs_match.h"

enum bs_type {
	BS_INTEGER, BS_FLOAT, BS_BINARY, BS_UTF8, BS_UTF16, BS_UTF32, BS_STRING, BS_APPEND,
	BS_PRIVATE_APPEND,
};

/* Commands of bs_match as the loader writes them. */
enum bs_match_command {
	BS_MATCH_AT_LEAST, BS_MATCH_EXACTLY, BS_MATCH_SKIP, BS_MATCH_EQUAL, BS_MATCH_INTEGER,
	BS_MATCH_BINARY, BS_MATCH_TAIL,
};

/* Segments of one bs_create_bin. */
#define BS_SEGMENTS_MAX 1000

struct bs_segment {
	enum bs_type type;
	unsigned unit;
	unsigned flags;
	term value;
	term size; /* a number of units, A_all or A_undefined */
	const uint8_t *string;
	size_t bits; /* worked out */
	term failed_what; /* why it cannot be built, or TERM_NONE, and with what value */
	term failed_value;
};

/* The new bit string, or TERM_NONE with an exception set. */
term bs_create(struct process *p, struct bs_segment *segments, size_t n);

/* An empty binary that may be appended to in place, with room for so many bytes. */
term bs_writable(struct process *p, size_t room);

struct bs_filling {
	uint8_t *bytes;
	size_t at;  /* bits */
	size_t end; /* bits: nothing is written behind */
};

/* The part of a machine (machine.h) that belongs to building bit strings: alive only inside one
 * expression. */
struct bs_builder {
	struct bs_filling filling;
	struct bs_segment segments[BS_SEGMENTS_MAX]; /* of one bs_create_bin */
};

/* Begin: a new bit string; the same behind a copy of (or in place after) an old one. */
term bs_fill_new(struct process *p, size_t bits);
term bs_fill_append(struct process *p, term old, size_t bits);
/* Writes one segment where the filling is; false when the value does not fit the type, or the
 * segment does not fit into what was begun. */
bool bs_fill(struct bs_segment *segment);
/* Fills segment->bits; false with an exception set. */
bool bs_measure(struct process *p, struct bs_segment *segment);

#endif

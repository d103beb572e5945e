/* bs_build.h: building bit strings.
 *
 * bs_create (OTP 25 on) takes all segments at once: it first checks every value and computes the
 * size, then it writes them. A binary that was not appended to before grows in place. The older
 * instructions (bs_init2, bs_put_*) begin a bit string of a given size and then fill it segment by
 * segment.
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
	unsigned number; /* in the source, from 1 */
	term value;
	term size; /* a number of units, A_all or A_undefined */
	const uint8_t *string;
	size_t bits; /* computed by bs_measure */
	term failed_what; /* why it cannot be built, or TERM_NONE */
	term failed_value;
};

/* The new bit string, or TERM_NONE with an exception set. */
term bs_create(struct process *p, struct bs_segment *segments, size_t n);

/* An empty binary that may be appended to in place, with room for so many bytes. */
term bs_writable(struct process *p, size_t room);

struct bs_filling {
	uint8_t *bytes;
	size_t at;  /* bits */
	size_t end; /* bits: nothing may be written behind this */
};

/* The part of a machine (machine.h) that belongs to building bit strings: alive only inside one
 * expression. */
struct bs_builder {
	struct bs_filling filling;
	struct bs_segment segments[BS_SEGMENTS_MAX]; /* of one bs_create_bin */
};

/* Begins a new bit string; begins one that starts with the bits of `old` (a copy, or the same block
 * if it can grow in place). */
term bs_fill_new(struct process *p, size_t bits);
term bs_fill_append(struct process *p, term old, size_t bits);
/* Writes one segment at the current position; false when the value does not fit the type, or the
 * segment does not fit into the bit string that was begun. */
bool bs_fill(struct bs_segment *segment);
/* Fills segment->bits; false with an exception set. */
bool bs_measure(struct process *p, struct bs_segment *segment);

#endif

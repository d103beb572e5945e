/* compact.h: the "compact term" encoding, in which a .beam file writes operands,
 * line items and (since OTP 28) the lengths of atoms.
 *
 * A compact term is a tag and a number. Only the outermost shape is decoded here;
 * the caller decides what the number means (an atom's index, a register), and reads the
 * parts of extended tags, which are compact terms again.
 */
#ifndef BEAMFILE_COMPACT_H
#define BEAMFILE_COMPACT_H

#include "beamfile/cursor.h"

enum compact_tag {
	COMPACT_U = 0,
	COMPACT_I = 1,
	COMPACT_A = 2,
	COMPACT_X = 3,
	COMPACT_Y = 4,
	COMPACT_F = 5,
	COMPACT_H = 6,
	COMPACT_EXTENDED = 7,
};

/* The operand after an extended tag. */
enum compact_extended {
	COMPACT_LIST = 1,
	COMPACT_FR = 2,
	COMPACT_ALLOC = 3,
	COMPACT_LITERAL = 4,
	COMPACT_TYPED = 5,
};

struct compact {
	enum compact_tag tag;
	int64_t value;        /* for COMPACT_EXTENDED: which one */
	const uint8_t *bytes; /* not NULL: the number needs more than 64 bits; value is 0 */
	size_t len;
};

/* Reads one if it is of the shortest form, a single byte, as most are; *value is below 16. */
static inline bool compact_read_short(struct cursor *c, enum compact_tag *tag, int64_t *value)
{
	if (c->bad || c->at == c->end || *c->at & 0x08 || (*c->at & 7) == COMPACT_EXTENDED)
		return false;
	*tag = *c->at & 7;
	*value = *c->at++ >> 4;
	return true;
}

/* Reads one; a failure shows as c->bad. */
struct compact compact_read(struct cursor *c);

/* Reads one that must be tagged u and lie in 0 .. max; anything else is bad. */
uint32_t compact_read_u(struct cursor *c, uint32_t max);

#endif

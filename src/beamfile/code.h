/* code.h: the Code chunk into instructions. Private to beamfile/.
 *
 * Two passes. code_decode() turns bytes into operands that fit their signatures
 * and notes where labels and functions are; it needs the tables of atoms, imports,
 * funs, literals, lines and strings. Then check_code() makes the checks that need all
 * labels, or two operands at once (string ranges, arities, command lists).
 */
#ifndef BEAMFILE_CODE_H
#define BEAMFILE_CODE_H

#include "beamfile/beamfile.h"
#include "beamfile/cursor.h"

bool code_decode(struct beamfile *bf, struct cursor chunk, struct err *err);
bool check_code(struct beamfile *bf, struct err *err);

/* "instruction 17 (call): " for the front of a message. */
bool code_blame(const struct beamfile *bf, size_t instr, struct err *err);

#endif

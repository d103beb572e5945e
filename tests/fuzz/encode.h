/* encode.h: from the reader's instructions back to the bytes of a Code chunk, so that a fuzzer can
 * change code by instruction and operand instead of by byte: nearly all such changes are still
 * read, and reach the verifier and the machine. */
#ifndef TESTS_FUZZ_ENCODE_H
#define TESTS_FUZZ_ENCODE_H

#include "../beamfile/container.h"
#include "beamfile/beamfile.h"

/* Appends one instruction. */
void encode_instr(struct byte_vec *out, const struct beam_instr *in);

/* A Code chunk's body: header for that many labels and functions, then the instructions. */
struct byte_vec encode_code(const struct beam_instr *instrs, size_t len, size_t labels_len,
			    size_t functions_len);

#endif

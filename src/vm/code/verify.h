/* verify.h: is this code safe to run?
 *
 * The reader (beamfile.h) promises that each instruction by itself is well formed: its operands are
 * of the right kind, and its labels exist. The verifier checks that instructions fit together, once
 * per image, before it is decoded. On every path through every function
 *
 *   - a register is set before it is used, and lies inside the frame when it is on the stack;
 *   - frames are pushed and popped in pairs, of the size that was pushed, and a return, a tail
 *     call or the end of a function never happens with the wrong one;
 *   - all slots of a frame are set before an instruction that may collect or raise reads them;
 *   - the terms that are built fit into the memory that was reserved;
 *   - the slot of a handler is not used otherwise, and the handler's code begins by closing it;
 *   - a match context is an operand only of instructions that accept one;
 *   - control stays inside the function.
 *
 * The compiler's own validator checks the same and more, but a file need not come from the
 * compiler. The validator also knows types across functions, which the file does not contain. So
 * the instructions themselves check that, say, x3 is a tuple, a cons or a match context (PROMISED
 * in ops.h). Together, verifier and instructions promise: code that the reader accepts either runs
 * or ends with one clear error.
 *
 * The method is a forward dataflow analysis of each function, with a state per label
 * (verify_state.h), until no state changes; nearly all code needs two rounds at most. The only fact
 * that crosses functions is which parameters may be match contexts.
 */
#ifndef VM_CODE_VERIFY_H
#define VM_CODE_VERIFY_H

#include "base/err.h"
#include "beamfile/beamfile.h"

/* must_clear has room for one flag per function. The flag is set when frames of the function must
 * be emptied as they are pushed, because an instruction that may raise comes before all slots are
 * set. (The compiler knew that it cannot raise there, but hostile code could.) */
bool verify_code(const struct beamfile *bf, bool *must_clear, struct err *err);

#endif

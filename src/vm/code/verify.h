/* verify.h: is this code safe to run?
 *
 * The reader (beamfile.h) promises that operands are of the right kind and lead somewhere. What
 * lies between instructions is judged here, once per image, before it is decoded: on every path
 * through every function
 *
 *   - a register is set before it is used, and lies inside the frame when it is on the stack;
 *   - frames are pushed and popped in pairs, of the size that was pushed, and a return, a tail
 *     call or the end of a function never happens with the wrong one;
 *   - all of a frame is set before anything that may collect or raise looks at it;
 *   - what is built fits into what was asked for;
 *   - a handler's slot is used by nobody else, and its code begins by closing it;
 *   - a match context goes only to instructions that know what one is;
 *   - control stays inside the function.
 *
 * The compiler's own validator does the same and more, but files can come from anywhere. It also
 * knows types across functions, which is lost in the file: that x3 is a tuple, a cons, a match
 * context is therefore checked by the instructions themselves (op_unsound in ops.h). Together they
 * promise: whatever the reader accepts either runs or gives one clear error.
 *
 * The method is a forward dataflow over each function, a state per label (verify_state.h), until
 * nothing changes; two rounds at most for nearly all code. Which parameters may be match contexts
 * is the only thing that crosses functions.
 */
#ifndef VM_CODE_VERIFY_H
#define VM_CODE_VERIFY_H

#include "base/err.h"
#include "beamfile/beamfile.h"

/* must_clear has room for one flag per function; it is set for those whose frames must be emptied
 * when they are pushed, because something that could raise in hostile code stands before the frame
 * is full (the compiler knew that it cannot). */
bool verify_code(const struct beamfile *bf, bool *must_clear, struct err *err);

#endif

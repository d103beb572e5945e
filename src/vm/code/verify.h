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

/* Instructions that the loader must add: the compiler knew more about types than the file says. */
struct verify_facts {
	/* Per function: its frames must be emptied as they are pushed, because an instruction that
	 * may raise comes before all slots are set. */
	bool *must_clear;
	/* Per instruction: its destination must be emptied before it, because code behind its label
	 * uses the destination:
	 *
	 *     bif2 L1, is_map_key, abc, x0, x1     x0 is a map, so this never goes to L1,
	 *     ...                                  but others do
	 *     L1: is_eq_exact L2, x1, true
	 */
	bool *must_preset;
};

void verify_facts_init(struct verify_facts *facts, const struct beamfile *bf);
void verify_facts_release(struct verify_facts *facts);

bool verify_code(const struct beamfile *bf, struct verify_facts *facts, struct err *err);

#endif

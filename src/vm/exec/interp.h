/* interp.h: the interpreter loop.
 *
 * Decoded code is direct-threaded: the first word of an instruction is the address of its
 * handler, the others are operands, all decoded once at load. ops.def lists every decoded
 * instruction; each is one small inline function in an ops_<family>.h; interp.c includes
 * them and generates the loop from the table.
 *
 * Operand words:
 *   S, D  a term (low bits not 00); or an x register as index << 3; or a y register as
 *         (index + 1) << 3 | 4. Both are byte offsets (from x, from e - 4 bytes), so code that
 *         knows the kind uses them without decoding.
 *   label the address of the instruction, NULL for "raise"
 */
#ifndef VM_EXEC_INTERP_H
#define VM_EXEC_INTERP_H

#include "vm/process/process.h"
#include "vm/vm.h"

enum spec_op {
#define OP(name, source, flow, doc) SPEC_##name,
#include "vm/exec/ops.def"
#undef OP
	SPEC_COUNT
};

/* Handler addresses by enum spec_op; filled by interp_open. */
extern const void *interp_labels[SPEC_COUNT];
void interp_open(void);

/* How many calls make a turn; how often code may go back without a call before it is taken for
 * endless (no compiler writes such loops). */
enum { TURN_CALLS = 4000, LOOP_MAX = 1 << 20 };

/* Runs p until it stops; its registers are in p before and after. */
enum step_end interp_run(struct process *p);

/* One-instruction code that ends a process: the bottom of every stack, and where an uncaught
 * exception goes. */
extern word interp_normal_exit[];
extern word interp_process_end[];
/* Applies x0:x1 to the list x2 as a tail call: where every process starts. */
extern word interp_apply_jump[];
/* Where code goes that breaks a promise of the compiler (ops.h), or calls what was refused. */
extern word interp_unsound[];
/* Where a call that is one step returns to (atomic.h). */
extern word interp_atomic_return[];
/* Where an on_load function returns to (on_load.h). */
extern word interp_on_load[];
/* The loop of the process that starts the system processes (boot.h). */
extern word interp_boot[];
extern word interp_boot_wait[];
/* The group leader's loop (leader.h). */
extern word interp_leader[];

static inline word operand_x(unsigned index) { return (word)index << 3; }
static inline word operand_y(unsigned index) { return (word)(index + 1) << 3 | 4; }
static inline bool operand_is_register(word w) { return (w & 3) == 0; }

#endif

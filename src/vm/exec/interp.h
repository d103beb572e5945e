/* interp.h: the interpreter loop.
 *
 * Decoded code is direct-threaded: the first word of an instruction is the address of its
 * handler, the others are operands, all decoded once at load. The table ops.def lists every
 * decoded instruction. Each is one small inline function in an ops_<family>.h; interp.c
 * includes them and generates the loop from the table.
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

/* How many calls a turn has; how often code may branch back without a call before it counts as
 * endless (the compiler does not make such loops). */
enum { TURN_CALLS = 4000, LOOP_MAX = 1 << 20 };

/* Runs p until it stops. Before and after, its registers are saved in p. */
enum step_end interp_run(struct process *p);

/* Code of one instruction that ends a process: the return address at the bottom of every stack, and
 * the code that an uncaught exception leads to. */
extern word interp_normal_exit[];
extern word interp_process_end[];
/* Applies x0:x1 to the list x2 as a tail call. Every process starts here. */
extern word interp_apply_jump[];
/* Ends the run: an instruction found a promise of the compiler broken (ops.h), or called a module
 * whose code was refused. */
extern word interp_unsound[];
/* The return address of a call that is one step (beam/atomic.h). */
extern word interp_one_step_return[];
/* The return address of an on_load function (on_load.h). */
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

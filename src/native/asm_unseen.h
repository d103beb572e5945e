/* asm_unseen.h: does a function access memory although it calls no hook?
 *
 * A function compiled without instrumentation (the attribute no_sanitize) looks like one that
 * needs none. What tells them apart is an access to memory that is neither the function's own
 * frame nor constant. Registers that hold the address of such memory are followed through the
 * text from top to bottom:
 *
 *     leaq  table(%rip), %rax       rax: constant, if table is in .rodata
 *     movl  (%rax,%rdi,4), %eax     no finding; but with %rax loaded from memory, one
 */
#ifndef NATIVE_ASM_UNSEEN_H
#define NATIVE_ASM_UNSEEN_H

#include <stdbool.h>
#include <stdint.h>

struct asm_unseen {
	uint32_t private; /* bit r: register r holds the address of a local or a constant */
};

/* At the beginning of a function. */
void asm_unseen_start(struct asm_unseen *state);

/* The next instruction. `is_constant` says whether a name is that of constant data. Returns
 * whether the instruction accesses memory that others may access, too. */
bool asm_unseen_step(struct asm_unseen *state, const char *mnemonic, const char *operands,
		     bool (*is_constant)(void *ctx, const char *name, int len), void *ctx);

#endif

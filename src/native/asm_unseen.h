/* asm_unseen.h: accesses to memory that the compiler made without calling a hook.
 *
 * Compilers leave some out: gcc does so where an object is handed to a function or returned by
 * it as a value, and everywhere in a function with the attribute no_sanitize. A hook is called
 * just before its access, and nothing else is called in between. So an access that follows the
 * call of another function, or the beginning of its own, has none:
 *
 *     call  f                  returns a struct in rax and rdx
 *     movq  %rax, (%rbx)       no hook: with one, rax could not have kept its value
 *
 * unless it is to memory that no other thread uses: a frame, a constant. Registers that hold the
 * address of such memory are followed through the text from top to bottom. Where this is uncertain
 * an access counts as one without a hook, because one hook too many does no harm.
 *
 * clang makes hooks for objects of 1, 2, 4, 8 and 16 bytes only, not for a long double (10 bytes), a bit-field
 * kept in 5 bytes, or vectors of 32. gcc makes none for an argument that is handed over by value. Either may stand
 * behind the hook of another access, so only as many bytes have a hook as the hooks that were called last say:
 *
 *     call  __tsan_read4       of i
 *     movdqa s(%rip), %xmm0    no hook: 16 bytes
 *     movl  i(%rip), %edi
 *
 * and only accesses to the variable that the hook was called for, where both are called by name:
 *
 *     leaq  i(%rip), %rdi
 *     call  __tsan_read4       of i
 *     movl  s(%rip), %esi      no hook: another variable
 *     movl  i(%rip), %edi
 *
 * A hook of an atomic access makes that access itself, and stands for no other. clang leaves an atomic
 * load behind its hook, whose value nobody uses: only there is one more access not looked at.
 *
 * clang before 21 asks of a member of a local whether the address of that member is passed on, not whether
 * that of the local is:
 *
 *     pthread_create(&id, NULL, run, &local);
 *     local.member = 1;        no hook
 *
 * So in a function that takes the address of a local, all accesses to the frame without a hook of
 * their own get one, except those that clang's comments call a spill or a reload of a register.
 * With gcc the same is done in all functions of a file with a nested function whose address is
 * taken: gcc makes no hooks for the variables that both functions use, because it takes them for
 * private.
 */
#ifndef NATIVE_ASM_UNSEEN_H
#define NATIVE_ASM_UNSEEN_H

#include <stdbool.h>
#include <stdint.h>

enum { ASM_SLOTS = 64, ASM_REGISTERS = 16, ASM_HOOKED = 4 };

struct asm_unseen {
	uint32_t private; /* bit r: register r holds the address of a local or a constant */
	int slots[ASM_SLOTS]; /* places in the frame where such addresses were put */
	int slots_len;
	int hooked; /* hooks were called, and nothing else since: of their bytes so many were not accessed yet */
	bool is_used; /* but some were */
	uint64_t named[ASM_REGISTERS]; /* the variable whose address, or that of a part, the register holds; 0: not known */
	uint64_t hooked_names[ASM_HOOKED]; /* the variables that those hooks were called for */
	int hooked_names_len; /* ASM_HOOKED: any */
	int range; /* the size given to a hook of a range, if it is called next */
	bool is_next_hooked; /* a hook was called, and no memory was accessed since */
	bool lends_frame; /* the address of a local is taken somewhere, and the compiler may have overlooked it */
	bool is_clangs;
};

struct asm_access {
	const char *operand; /* the address, as written */
	int len;
	int size;
	bool reads, writes;
};

/* At the beginning of a function. */
void asm_unseen_start(struct asm_unseen *state, bool is_clangs, bool lends_frame);

/* Does the instruction take the address of a local? */
bool asm_takes_local(const char *mnemonic, const char *operands);

/* The next instruction, with its comment. `is_constant` says whether a name is that of constant data. Returns
 * whether the instruction accesses memory without a hook, and in *access how. */
bool asm_unseen_step(struct asm_unseen *state, const char *mnemonic, const char *operands,
		     bool (*is_constant)(void *ctx, const char *name, int len), void *ctx,
		     struct asm_access *access);

#endif

/* asm_size.h: how many bytes of memory an instruction touches, by its name and its registers.
 *
 * The answer is certain: the instruction touches at least as many bytes, beginning at its address. One
 * byte is returned where the name says nothing. A vector instruction touches as much as its
 * registers hold, except those that widen, narrow or repeat the bytes in memory:
 *
 *     vpaddd   (%rdi), %ymm0, %ymm0       32 bytes
 *     vpmovzxbd (%rdi), %zmm0             a quarter of 64
 *     vpaddd   (%rdi){1to8}, %ymm0, %ymm0 one element
 */
#ifndef NATIVE_ASM_SIZE_H
#define NATIVE_ASM_SIZE_H

#include <stdbool.h>

/* `operands` without the comment, `len` characters. */
int asm_size(const char *mnemonic, const char *operands, int len);

/* Does a mask say which bytes are touched? */
bool asm_is_masked(const char *mnemonic, const char *operands, int len);

/* Does the line use registers that rt_unhooked does not keep: vectors of more than 16 bytes, or the stack of
 * the floating-point unit? */
bool asm_is_wide(const char *line);

#endif

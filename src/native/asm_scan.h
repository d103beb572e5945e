/* asm_scan.h: a list of everything in an object that the hooks of the compiler do not cover,
 * made from the compiler's assembler text.
 *
 * The compiler wrapper stands between compiler and assembler (cc_as.h). The text shows all facts
 * about an object that the tool needs: the functions it calls and the lines of the calls, the
 * names it defines, inline assembler (compilers mark it with #APP), and instructions that
 * compilers make without a hook. Ordinary accesses without a hook get one on the way.
 *
 * The list goes into a section of the object, .fermata.uses, which linkers concatenate, also
 * with `ld -r`. One text per fact, NUL-terminated each, fields separated by tabs:
 *
 *     O                        an object: comes once, first
 *     C strtok  main.c:12      calls strtok, first at that line
 *     A perror  main.c:4       uses the name in another way, for example its address
 *     D main                   defines main, for all objects; H: for those of the same program or
 *                              library (a hidden name); L: for itself only
 *     I main.c:17  incl v      inline assembler that is not known to be harmless
 *     S main.c:20  movnti      a memory access or a source of chance that has no hook
 *     N bump  main.c:9         an access in a function that could not be given a hook
 *     W strtok                 written by cc_stub.c: calls of strtok reach a stand-in
 */
#ifndef NATIVE_ASM_SCAN_H
#define NATIVE_ASM_SCAN_H

#include <stdbool.h>

#include "base/strbuf.h"

#define ASM_USES_SECTION ".fermata.uses"

/* Appends to `out` the facts about an assembler text (NUL-terminated), as described above, and to
 * `hooked` the text with calls of a hook where the compiler made none (asm_unseen.h). False: the
 * text does not carry our note, so it was not compiled by the wrapper. */
bool asm_scan(const char *text, struct strbuf *out, struct strbuf *hooked);

/* The same facts as assembler directives, to be put behind the text. */
void asm_facts_as_section(const struct strbuf *facts, struct strbuf *out);

/* Is this one statement of inline assembler known to be harmless? */
bool asm_is_harmless(const char *statement);

#endif

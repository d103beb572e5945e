/* cc_as.h: the wrapper in the place of the assembler.
 *
 * The compiler looks for its assembler in the folders of -B first. The wrapper gives it a folder
 * with a link called `as` that leads back to the wrapper, which reads the text (asm_scan.h), puts
 * the facts about it behind the text, and has the real assembler do the work:
 *
 *     gcc -B /tmp/fermata-cc.X/ -c main.c   ->   /tmp/fermata-cc.X/as --64 -o main.o /tmp/ccY.s
 */
#ifndef NATIVE_CC_AS_H
#define NATIVE_CC_AS_H

#include <stdbool.h>

#include "base/err.h"
#include "native/cc.h"

/* Was the running executable started as the assembler? */
bool cc_as_is_asked(const char *program_name);

/* Does the assembler's work; the exit status to leave with. */
int cc_as_main(int argc, char **argv);

/* Makes the folder for -B, once per command; NULL with err. */
const char *cc_as_folder(struct cc *cc, struct err *err);

#endif

/* cc_stub.h: stand-ins for library functions, linked into the program.
 *
 * For every library function that the program calls and that has effects, or that is not known
 * (functions.h), the wrapper makes a small function that reports to the runtime and goes on to
 * the real one (runtime/calls/effects.h). The linker puts it in its place with --wrap. Which
 * functions those are is known only when the program has been linked once, so a program that
 * needs stand-ins is linked twice.
 */
#ifndef NATIVE_CC_STUB_H
#define NATIVE_CC_STUB_H

#include "base/err.h"
#include "native/cc.h"

/* Makes the stand-ins for a linked program or library and adds to `words` the options of the
 * second link. *needed: is there anything to add? `map` is the linker's map of the first. */
bool cc_stub_make(struct cc *cc, const char *linked, const char *map, struct cc_words *words,
		  bool *needed, struct err *err);

#endif

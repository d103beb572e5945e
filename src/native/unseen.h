/* unseen.h: everything in a program that forbids to call it proved.
 *
 * Code that was not instrumented, inline assembler, instructions and functions without hooks,
 * and library functions that are not modelled: named with file and line where known. Only
 * things known to be modelled or harmless are left out, so a proof says nothing by silence.
 */
#ifndef NATIVE_UNSEEN_H
#define NATIVE_UNSEEN_H

#include "base/strbuf.h"
#include "runtime/channel.h"

/* Appends the reasons why the program that uses the channel is not proved; nothing if there are
 * none. `path` is the program's file. `describe` appends the place of a code address. */
void unseen_describe(const struct channel *channel, const char *path, struct strbuf *out,
		     void (*describe)(void *ctx, uint64_t site, struct strbuf *out), void *ctx);

#endif

/* moving.h: which values that differ from process to process did the program use?
 *
 * A finding is replayed in another process. Most values that the kernel makes different there are
 * replaced (process numbers, random bytes, clocks …). The rest cannot be: the contents of /proc, the
 * inode numbers of new files, results of functions that are not modelled. A finding that depends on
 * one of these may not show again, so each report of such a finding names them.
 */
#ifndef NATIVE_MOVING_H
#define NATIVE_MOVING_H

#include "base/strbuf.h"
#include "runtime/channel.h"

/* Appends "a file of the kernel (/proc, /sys)"; nothing if the runs so far used no such value. */
void moving_describe(const struct channel *channel, struct strbuf *out);

#endif

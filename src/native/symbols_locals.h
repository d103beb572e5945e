/* symbols_locals.h: local variables by their place in a frame.
 *
 * A variable that another thread uses lies in memory, at a distance from the frame of its function
 * that the debug information states. The runtime hands over the frame pointers of the functions on a
 * stack (channel_stack.bases), and with the frame pointer of `main` the address of a lock in it becomes
 * "pool.mutex_". A variable whose place is not such a distance, or changes, is not named.
 */
#ifndef NATIVE_SYMBOLS_LOCALS_H
#define NATIVE_SYMBOLS_LOCALS_H

#include "base/strbuf.h"
#include "native/symbols_functions.h"

/* Appends "name.member[3]" for the address in the frame with this frame pointer. `chain` is the
 * functions at `pc`, an address in the file, innermost first; false if no variable is there. */
bool locals_add_name(struct strbuf *out, struct die_vec *chain, uint64_t pc, uint64_t base,
		     uint64_t address, bool *is_inside);

#endif

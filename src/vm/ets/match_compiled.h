/* match_compiled.h: match specs behind references: match_spec_compile, continuations.
 *
 * The reference is derived from the contents of the spec (under pid value 0, which no process
 * has). So compiling the same spec twice gives the same reference, in whichever process. For that
 * reason compiling is not a visible step, and a loop that compiles does not fill the memory.
 */
#ifndef VM_ETS_MATCH_COMPILED_H
#define VM_ETS_MATCH_COMPILED_H

#include "vm/process/process.h"

/* The reference for a spec that is known to compile. */
term match_compiled_reference(struct process *p, term spec);
/* The spec of a reference, in the region; TERM_NONE when t is not such a reference. */
term match_compiled_spec(struct vm *vm, term t);

#endif

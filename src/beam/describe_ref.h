/* describe_ref.h: references in words.
 *
 * #Ref<0.354.1.0> says nothing to a reader; what it is a reference to does:
 *
 *	demonitor(#Ref<0.354.1.0>, [])        demonitor(P1.2, [])
 *	atomics:get(#Ref<0.22.1.4>, 1)        atomics:get(atomics#1, 1)
 */
#ifndef BEAM_DESCRIBE_REF_H
#define BEAM_DESCRIBE_REF_H

#include "beam/describe.h"
#include "vm/bifs/bif.h"
#include "vm/process/process.h"

/* Adds the words for the reference that is the first argument of the call which the process has announced;
 * false, and nothing is added, if it is another term, or not known. */
bool describe_ref(struct conductor *c, struct process *p, const struct bif *bif, struct strbuf *out);

#endif

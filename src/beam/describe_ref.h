/* describe_ref.h: references in words.
 *
 * #Ref<0.354.1.0> means nothing to a reader. The thing behind the reference does:
 *
 *	demonitor(#Ref<0.354.1.0>, [])        demonitor(P1.2, [])
 *	atomics:get(#Ref<0.22.1.4>, 1)        atomics:get(atomics#1, 1)
 *	atomics:get(#Ref<0.22.1.4>, 1)        counters:get(counters#1, 1), if module counters calls it
 */
#ifndef BEAM_DESCRIBE_REF_H
#define BEAM_DESCRIBE_REF_H

#include "beam/describe.h"
#include "vm/bifs/bif.h"
#include "vm/process/process.h"

/* Adds the words for the reference that is the first argument of the call which the process has announced;
 * false, and nothing is added, if it is another term, or not known. */
bool describe_ref(struct conductor *c, struct process *p, const struct bif *bif, struct strbuf *out);

/* Is it a native function behind the module counters, "counters_get"? */
#define DESCRIBE_COUNTERS "counters_"
bool describe_is_native_of_counters(const struct bif *bif);
/* Has the program called counters? Without write_concurrency that calls atomics. */
bool describe_is_counter(const struct process *p, const struct bif *bif);

#endif

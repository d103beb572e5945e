/* annotate.h: accesses that the program has asked to be ignored, or has declared to race on
 * purpose (calls/annotate.c). */
#ifndef RUNTIME_ANNOTATE_H
#define RUNTIME_ANNOTATE_H

#include "runtime/rt.h"

/* Is the actor in a scope in which such accesses are ignored? Then that is an assumption of the
 * run. */
bool rt_ignores(const struct rt_actor *self, bool is_write);

/* Has the program said that accesses to this address race on purpose? Such an access is a step. */
bool rt_is_benign(const void *address);
void rt_benign_step(const void *address, size_t size, bool is_write, uint64_t site);

#endif

/* failure.h: steps that may fail without a reason, if --spurious allows that: a weak compare-and-swap, a
 * read that gets only a part of what was sent. A virtual actor of the thread decides it:
 *
 *     failure = rt_failure_offer(&event);
 *     did = rt_step(&event, …);
 *     fails = rt_failure_came(failure);
 */
#ifndef RUNTIME_FAILURE_H
#define RUNTIME_FAILURE_H

#include "runtime/rt.h"

/* The step that is about to be announced may fail. Returns the virtual actor that makes it fail; NULL
 * if it cannot, or if the event has no room for that. */
struct rt_actor *rt_failure_offer(struct event *event);

/* Behind the step: did it fail? */
bool rt_failure_came(struct rt_actor *failure);

#endif

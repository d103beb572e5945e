/* one_step.h: calls into trusted modules as one step (--atomic), as PULSE and Concuerror have it.
 *
 * A call from elsewhere into such a module runs from its first visible operation to its return
 * without stopping, except where it receives, spawns, dies or asks about another process: there a
 * new step begins. The step's event has what all its operations touched, so that reordering it
 * against others is as sound as ever; if that is more than an event can hold, it conflicts with
 * everything. The values that a call has read decide its next step, so the accesses that happened
 * are also those that may happen.
 *
 * The end of a call is noticed by its return address: when the call begins, the address is replaced
 * by that of code of ours (interp_one_step_return), which goes on at the original address. A call
 * that ends by an exception removes the replaced address together with its frame. A tail call out
 * of the module is still part of the call.
 */
#ifndef BEAM_ONE_STEP_H
#define BEAM_ONE_STEP_H

#include "beam/conduct.h"

/* p is about to take a step: if it stands in a call into one of the modules (names, by commas),
 * the call becomes one step from here. */
void one_step_begin(const char *modules, struct process *p);

/* p has stopped before its next operation. Does that belong to the step as well? Then its
 * accesses have been added to the step. */
bool one_step_goes_on(struct conductor *c, struct process *p, enum step_end end, struct event *did);

/* A step that was announced and never taken may touch anything, if it is one of those. */
void one_step_widen(const char *modules, const struct process *p, struct event *event);

#endif

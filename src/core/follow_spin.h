/* follow_spin.h: actors that look at the same variables again and again.
 *
 * A loop such as `while (!flag) tries++;` is not parked by the target, because its state changes
 * with every turn. If a tail policy goes on with such an actor the run reaches its limit of steps
 * and shows nothing. So an actor that has made the same look several times, with no step of its own
 * that writes in between, *dozes*: the tail policies choose among the others until one of them
 * writes a variable that the dozing actor has read. If every enabled actor dozes, all of them are
 * awake.
 *
 * This is a preference between schedules and not a property of the program: a dozing actor is
 * enabled, a decision may name it, and a recorded run is replayed without any knowledge of dozing.
 * Only schedules with `resumes` set ask for it. Exhaustive strategies do not set it.
 *
 * Part of the follower: allocates nothing, and does not call libc.
 */
#ifndef CORE_FOLLOW_SPIN_H
#define CORE_FOLLOW_SPIN_H

#include "core/follower.h"

void follow_spin_start(struct follower *f);
void follow_spin_took(struct follower *f, const struct event *did);

/* The enabled actors that neither doze nor sleep, in `awake` (view->words words); false: none. */
bool follow_spin_awake(const struct follower *f, const struct follower_view *view,
		       uint64_t *awake);

#endif

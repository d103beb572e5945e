/* follow_guide.h: tail policies that know something about the steps to come.
 *
 * SURW (selectively uniform random walk): of the steps on one object, chosen anew for each
 * run, every order shall be about equally likely, however many other steps lie between. The
 * guides say how many of them each actor is expected to take: guides[0] is the object (0:
 * all steps count), the others are (actor, number). An actor, the
 * *intent*, is drawn by the number of its remaining steps; until it has taken one of them no other
 * actor takes one. Actors that do not exist yet count, so that the time of their creation does not
 * matter.
 *
 * RFF (reads-from steering): a pair of guides asks that one step find the object as another step
 * left it. guides[2i] is the step (object, site, number = its mode). guides[2i+1] is the step that
 * shall be the last before it that conflicts with it on that object; if the object is 0 there, no
 * step shall come before it. The step is postponed until the other step has been taken; from then
 * on every step that would come in between is postponed. If that would postpone all enabled
 * actors, none is postponed: a pair that is not possible is given up.
 *
 * Part of the follower: allocates nothing, and does not call libc.
 */
#ifndef CORE_FOLLOW_GUIDE_H
#define CORE_FOLLOW_GUIDE_H

#include "core/follower.h"

void follow_guide_start(struct follower *f);
void follow_guide_took(struct follower *f, const struct event *did);

/* SURW: the actor to go, or -1. */
int follow_guide_pick_surw(struct follower *f, const struct follower_view *view);

/* RFF: is the announced step of this actor postponed? Is any enabled actor not postponed? */
bool follow_guide_is_postponed(const struct follower *f, const struct follower_view *view,
			       uint32_t actor);
bool follow_guide_leaves_any(const struct follower *f, const struct follower_view *view);

#endif

/* verdict.h: findings about how processes end, or do not end.
 *
 * abnormal exit  a process ends by itself with a reason other than normal, shutdown or
 *                {shutdown, _}, has no link to a process that traps exits, and no monitor of it
 *                gets the DOWN; or it is the test's own process. With --exits any the links and
 *                monitors do not count, and a process that an exit signal ended is reported, too.
 * assertion      the same, when the reason is one of the assertion macros of eunit.hrl.
 * deadlock       nobody can go on and processes wait for each other in a circle (circle.h);
 *                processes that wait beside the circle are not reported.
 * stuck          nobody can go on and a process still waits: the test's own, or one that waits
 *                for something particular. One that would take any message, or that has come
 *                back to the same receive with nothing in its mailbox, is at rest; so is one that a
 *                timer could still wake (reach.h).
 */
#ifndef BEAM_VERDICT_H
#define BEAM_VERDICT_H

#include "beam/conduct.h"

/* p takes its first step of dying by this event. */
void verdict_on_exit(struct conductor *c, struct process *p, const struct event *event);
/* p takes a later one. */
void verdict_on_word(struct conductor *c, const struct process *p);
/* The run is over: removes the findings about exits that another process has heard of. */
void verdict_on_exits(struct conductor *c);
/* Nobody can go on. */
void verdict_on_end(struct conductor *c);

#endif

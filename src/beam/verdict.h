/* verdict.h: what is wrong with how processes end, or do not.
 *
 * abnormal exit  a process ends with a reason other than normal, shutdown or {shutdown, _}, has
 *                no link to one that traps exits, and nobody watches it for so long as to be told
 *                (who ceases to in time is not); or it is the test's own process.
 * assertion      the same, when the reason is one of the assertion macros of eunit.hrl.
 * deadlock       nobody can go on and processes wait for each other in a circle (circle.h); those
 *                that wait beside it are not told of.
 * stuck          nobody can go on and a process still waits: the test's own, or one that waits
 *                for something particular. One that would take any message, or that has come
 *                back to the same receive with nothing in its mailbox, is at rest.
 */
#ifndef BEAM_VERDICT_H
#define BEAM_VERDICT_H

#include "beam/conduct.h"

/* p takes its first step of dying by this event. */
void verdict_on_exit(struct conductor *c, struct process *p, const struct event *event);
/* p takes a later one. */
void verdict_on_word(struct conductor *c, const struct process *p);
/* The run is over: exits that somebody has heard of are no findings after all. */
void verdict_on_exits(struct conductor *c);
/* Nobody can go on. */
void verdict_on_end(struct conductor *c);

#endif

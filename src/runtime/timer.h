/* timer.h: virtual time. It stands still until a timer fires; firing is a step of a
 * virtual actor that belongs to the thread that waits (rt.h: rt_timer_arm). Timers that
 * are shorter than --timeouts may fire any time, in the order of their deadlines; the
 * others only when no other actor can go on. */
#ifndef RUNTIME_TIMER_H
#define RUNTIME_TIMER_H

#include "runtime/rt.h"

/* The actor goes round a loop that looks at the clock and changes nothing: it is parked
 * until the clock has moved, further each time. */
void rt_timer_poll(struct rt_actor *actor);

/* May a timer with this deadline fire any time, and not only when no other actor can go on? */
bool rt_timer_is_short(uint64_t deadline_ns);

/* Virtual time passes; never back. Names an alarm() that would have ended the program by then. */
void rt_clock_goes_to(uint64_t ns);

/* The current actor waits that long; also in phase ALONE. 0, or EINTR if cancelled. */
void rt_timer_sleep(uint64_t ns, uint64_t site);
void rt_timer_sleep_until(uint64_t deadline_ns, uint64_t site);

/* In phase ALONE there is no other thread that could end a wait: if the actor has armed its
 * timer, time goes on to it and it fires. False: it has none. */
bool rt_timer_pass(struct rt_actor *actor);

/* Reads the clock as a step; returns RT->now_ns. */
uint64_t rt_timer_now(uint64_t site);

#endif

/* turn.h: processes that poll.
 *
 *     poll() -> case ets:lookup(t, done) of
 *                   [_] -> ok;
 *                   [] -> receive after 50 -> poll() end
 *               end.
 *
 * To explore how often such a loop looks would be endless and show nothing new. A *turn* is
 * everything that a process does between two waits with a timeout. It is *void* if the process
 * stands at both waits with the same state and only looked in between. The run without the turn is
 * the same, so the process is *parked*: it takes no message, and its timer does not fire.
 *
 * Processes that could change what it saw go on. If one of them does (the process is *woken*), the
 * run ends as END_PARKED: the run in which the process looks later is explored, too. If no process
 * does, the process polls for ever. If it is the test's own process, that is a livelock (END_SPIN);
 * other processes may poll as long as they like, and a test that waits for one of them is stuck.
 *
 * Timers with deadlines fire in the order of their deadlines, and void turns let time pass:
 *     A: polls every 50 ms     B: receive after 500 -> ets:insert(t, {done, 1}) end
 * No run has A's first timeout behind B's. So a timer that fires and was due after the timer of a
 * parked process lets that process look again. The timer of the parked process is then due at the
 * same moment, because it is not known how long the steps of the turns took.
 *
 * A turn may have several receives, also such that do not wait. A message that one of them takes wakes
 * the process, although the receive at which it is parked may not take it:
 *     loop() -> receive a -> ok after 10 -> receive b -> ok after 10 -> loop() end end.
 * Each of them races with the message, so the run in which the message comes earlier is explored.
 *
 * A loop that never waits (`receive stop -> ok after 0 -> loop() end`) is not parked. A timer of
 * last resort fires when no other actor can go on, so there is no run in which such a loop looks
 * later.
 *
 * A turn with a step that reads the clock, takes a message or writes is not void. Neither is a turn
 * that changes the state of the process, such as a number of attempts, or during which another
 * process asked where it stands. src/runtime/turn.c does the same for threads.
 */
#ifndef BEAM_TURN_H
#define BEAM_TURN_H

#include "beam/conduct.h"

/* p waits with this timeout, and its timer has just been armed: was its last turn void? */
void turn_look(struct conductor *c, struct process *p, const struct timer *timer);

/* The step taken last may wake processes that are parked. */
void turn_took(struct conductor *c);

/* The slot of a process, or of the timer of one: is the process parked, and may it not go on? */
bool turn_parks(const struct conductor *c, const struct slot *slot);

/* The actor, which may be parked, takes a step. */
void turn_resume(struct conductor *c, uint32_t actor);

/* A timer with this deadline fires. */
void turn_pass_time(struct conductor *c, uint64_t deadline_ns);

/* No actor can go on: END_DONE, END_SPIN or END_PARKED. */
enum trace_end turn_find_end(const struct conductor *c);

#endif

/* reach.h: which processes a timer that is still armed could wake, at once or in the end.
 *
 * When the test has ended, timers no longer fire (without --after-end). A process that waits then
 * is not stuck if one of these timers would have let it go on. Such a timer ends the receive of the
 * process, or sends it a message, or does the same to another process that knows it. The processes
 * that a process knows are those whose pid or alias is in its memory, those linked to it or
 * watching it, and those with a registered name. That may be more than it could really reach: in
 * doubt a process is not stuck.
 *
 *     C = spawn(fun() -> receive cancel -> ok end end),
 *     spawn(fun() -> receive after 500 -> C ! cancel end end)     % C is not stuck
 */
#ifndef BEAM_REACH_H
#define BEAM_REACH_H

#include "beam/conduct.h"

/* A bit for each actor; the caller frees it with mem_free. NULL when timers still fire, or none is
 * armed. */
uint64_t *reach_by_timers(struct conductor *c);

#endif

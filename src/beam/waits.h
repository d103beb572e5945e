/* waits.h: for which other processes a process waits when no process can go on.
 *
 * An Erlang receive does not name the process from which it expects a message. A process is taken
 * to wait for another if
 *   - its last step before waiting sent that one a message which holds its own pid or a reference
 *     of its own: a request, to be answered (gen_server:call and its kin), or something to be
 *     given back; or
 *   - its receive would take the message that the other has ended: 'DOWN' by a monitor that is
 *     still active, 'EXIT' by a link.
 */
#ifndef BEAM_WAITS_H
#define BEAM_WAITS_H

#include "beam/conduct.h"

/* Adds to c->waits for whom the process of the slot, which is in a receive, waits. */
void waits_add(struct conductor *c, struct slot *slot);

/* Does p, by this message that it is about to send, ask for an answer? */
bool waits_is_request(const struct process *p, term message);

#endif

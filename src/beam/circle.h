/* circle.h: processes that wait for each other in a circle when no process can go on.
 *
 * An Erlang receive does not name the process from which it expects a message. A process is taken
 * to wait for another if
 *   - its last step before waiting sent that one a message which holds its own pid or a reference
 *     of its own: a request, to be answered (gen_server:call and its kin), or something to be
 *     given back; or
 *   - its receive would take the message that the other has ended: 'DOWN' by a monitor that is
 *     still active, 'EXIT' by a link.
 * A circle of such waits is a deadlock; waiting that leads nowhere is being stuck.
 */
#ifndef BEAM_CIRCLE_H
#define BEAM_CIRCLE_H

#include "beam/conduct.h"

VEC_TYPE(actor_vec, uint32_t);

/* The actors of a circle, each waiting for the next and the last for the first; empty if there is
 * none. */
void circle_find(struct conductor *c, struct actor_vec *circle);

/* Does what p sends ask for an answer? The message is about to be sent. */
bool circle_is_request(const struct process *p, term message);

#endif

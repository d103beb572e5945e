/* beam_session.h: a session that explores a test on the Erlang machine. */
#ifndef CLI_BEAM_SESSION_H
#define CLI_BEAM_SESSION_H

#include "cli/search/beam_setup.h"
#include "cli/search/session.h"

/* Makes the target and runs the session, whose setup is filled in here. A search that does not come
 * back when it is stopped is left (stopping.h) and reported: the machine is of no use then, and the
 * process should end. Returns the exit status. */
int beam_session_run(struct session *session, const struct beam_subject *subject);

#endif

/* prop_beam.h: `fermata prop` for Erlang: a module with PropEr's callbacks or properties. */
#ifndef CLI_PROP_BEAM_H
#define CLI_PROP_BEAM_H

#include "cli/beam_setup.h"
#include "cli/prop_session.h"

/* `name` is MODULE or MODULE:PROPERTY; paths: the -pa folders, NULL at the end. Returns the exit
 * status. */
int prop_beam(struct prop_session *session, const char *name, const char *const *paths);

#endif
